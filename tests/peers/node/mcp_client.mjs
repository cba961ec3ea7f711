// An MCP client on @modelcontextprotocol/client.
//
// Usage: node mcp_client.mjs MODE [--counting] SERVER_COMMAND..., where MODE is `auto` (discover, then fall back to
// initialize), `2026-07-28` (that version only) or an older version, offered in initialize. With `--counting`, it follows
// the script of a server that counts.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { GREETING_URI, note, ROOT } from "./session.mjs";

const WITHOUT_ELICITATION = ["2024-11-05", "2025-03-26"];
const counts = process.argv[3] === "--counting";
const [mode] = process.argv.slice(2);
const [command, ...args] = process.argv.slice(counts ? 4 : 3);
const legacy = mode !== "auto" && mode !== "2026-07-28";
const elicits = !WITHOUT_ELICITATION.includes(mode);

const client = new Client(
  { name: "official", version: "1" },
  {
    capabilities: { roots: {}, ...(elicits ? { elicitation: { form: {} } } : {}) },
    versionNegotiation: { mode: legacy ? "legacy" : mode === "auto" ? "auto" : { pin: mode } },
    ...(legacy ? { supportedProtocolVersions: [mode] } : {}),
  },
);
if (elicits) {
  client.setRequestHandler("elicitation/create", ({ params }) => {
    note("form asked", params.message, Object.keys(params.requestedSchema.properties));
    return { action: "accept", content: { name: "Ann" } };
  });
}
client.setRequestHandler("roots/list", () => {
  note("roots asked");
  return { roots: [{ uri: ROOT }] };
});

async function call(name, parameters = {}) {
  const result = await client.callTool({ name, arguments: parameters }, { onprogress: () => undefined });
  note("result", name, result.content[0].text);
}

// Calls a tool that runs for long, and cancels it at its first progress.
async function cancel(name, parameters) {
  const controller = new AbortController();
  const options = { onprogress: () => controller.abort(), signal: controller.signal };
  await client.callTool({ name, arguments: parameters }, options).catch(() => note("cancelled"));
}

const transport = new StdioClientTransport({ command, args, stderr: "inherit" });
await client.connect(transport);
const deliver = transport.onmessage;
transport.onmessage = (message, extra) => {
  // Noted as it arrives: the client hands on no progress whose result came in the same read.
  if (message.method === "notifications/progress") {
    const { progress, total, message: text } = message.params;
    note("progress", progress, total, text ?? null);
  }
  deliver(message, extra);
};
note("opened", client.getNegotiatedProtocolVersion());
note("tools", (await client.listTools()).tools.map((tool) => tool.name).sort());
if (counts) {
  await call("count", { from: 2 });
  await cancel("count", { from: 60 });
} else {
  await call("add", { a: 2, b: 3 });
  await call("count", { to: 3 });
  if (elicits) await call("ask");
  await call("roots");
  note("resource", (await client.readResource({ uri: GREETING_URI })).contents[0].text);
  note("prompt", (await client.getPrompt({ name: "greet", arguments: { who: "Ann" } })).messages[0].content.text);
  await cancel("wait", {});
  await call("cancellations");
}
await client.request({ method: "peers/unknown", params: {} }, z.any()).catch((error) => note("error", error.code));
await client.close();
note("closed");
