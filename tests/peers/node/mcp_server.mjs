// An MCP server of every version on @modelcontextprotocol/server.

import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { aborted, GREETING_URI, NAME_FORM, QUESTION } from "./session.mjs";

let cancellations = 0;

const answer = (text) => ({ content: [{ type: "text", text }] });

async function progress(context, done, total, message) {
  const { progressToken } = context.mcpReq._meta ?? {};
  if (progressToken === undefined) return;
  const params = { progressToken, progress: done, total, message };
  await context.mcpReq.notify({ method: "notifications/progress", params });
}

async function count({ to }, context) {
  for (let step = 1; step <= to; step += 1) await progress(context, step, to, `step ${step}`);
  return answer(`counted to ${to}`);
}

function ask(context) {
  const person = acceptedContent(context.mcpReq.inputResponses, "person");
  if (person !== undefined) return answer(`hello ${person.name}`);
  const person_form = inputRequired.elicit({ message: QUESTION, requestedSchema: NAME_FORM });
  return inputRequired({ inputRequests: { person: person_form } });
}

function roots(context) {
  const found = context.mcpReq.inputResponses?.roots;
  if (found !== undefined) return answer(found.roots[0].uri);
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
}

async function wait(context) {
  await progress(context, 1, 1, "waiting");
  await aborted(context.mcpReq.signal);
  cancellations += 1;
  return answer("cancelled");
}

function build() {
  const server = new McpServer({ name: "official", version: "1" }, { capabilities: { tools: {} } });
  const numbers = z.object({ a: z.number(), b: z.number() });
  server.registerTool("add", { inputSchema: numbers }, ({ a, b }) => answer(String(a + b)));
  server.registerTool("count", { inputSchema: z.object({ to: z.number() }) }, count);
  server.registerTool("ask", {}, ask);
  server.registerTool("roots", {}, roots);
  server.registerTool("wait", {}, wait);
  server.registerTool("cancellations", {}, () => answer(String(cancellations)));
  server.registerResource("greeting", GREETING_URI, {}, () => ({ contents: [{ uri: GREETING_URI, text: "hello" }] }));
  const argsSchema = z.object({ who: z.string() });
  server.registerPrompt("greet", { argsSchema }, ({ who }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Greet ${who}` } }],
  }));
  return server;
}

serveStdio(build);
