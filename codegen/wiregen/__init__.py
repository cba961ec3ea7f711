"""Generates typed message classes for ACP and MCP from their JSON Schemas."""
