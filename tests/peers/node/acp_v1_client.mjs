// An ACP v1 client on @agentclientprotocol/sdk.
//
// Usage: node acp_v1_client.mjs [--cancels-requests | --echo] AGENT_COMMAND...

import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { FILE_TEXT, hangAndCancel, later, note, start } from "./session.mjs";

const waiting = later();
const cancelsRequests = process.argv[2] === "--cancels-requests";
const echoes = process.argv[2] === "--echo";
const peer = start(process.argv.slice(cancelsRequests || echoes ? 3 : 2));

async function permission({ params, signal }) {
  note("permission asked", params.toolCall.title);
  if (params.toolCall.title === "withdrawn") {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { outcome: { outcome: "cancelled" } };
  }
  const { optionId } = params.options.find((option) => option.kind === "allow_once");
  return { outcome: { outcome: "selected", optionId } };
}

function readFile({ params }) {
  note("file read", params.path);
  return { content: FILE_TEXT };
}

function update({ params }) {
  const { sessionUpdate, content, status } = params.update;
  if (sessionUpdate === "agent_message_chunk") {
    note("message", content.text);
    if (content.text === "waiting") waiting.resolve();
  } else if (sessionUpdate.startsWith("tool_call")) {
    note("tool call", status, ...(content ?? []).map((item) => item.content.text));
  }
}

async function session(agent) {
  const clientCapabilities = { fs: { readTextFile: true } };
  const clientInfo = { name: "official", version: "1" };
  const request = { protocolVersion: 1, clientCapabilities, clientInfo };
  const { protocolVersion } = await agent.request(methods.agent.initialize, request);
  note("initialized", protocolVersion);
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/w", mcpServers: [] });
  note("session opened");
  const prompts = ["count", "edit", "wait", "fail", ...(cancelsRequests ? ["withdraw"] : [])];
  for (const texts of echoes ? [["one", "two", "three"]] : prompts.map((text) => [text])) {
    const prompt = texts.map((text) => ({ type: "text", text }));
    const turn = agent.request(methods.agent.session.prompt, { sessionId, prompt });
    if (texts[0] === "wait") {
      await waiting.promise;
      await agent.notify(methods.agent.session.cancel, { sessionId });
    }
    await turn.then(
      ({ stopReason }) => note("stopped", stopReason),
      (error) => note("error", error.code),
    );
  }
  if (!echoes) note("echo", await agent.request("_peers/echo", { text: "x" }));
  const failed = (error) => note("error", error.code);
  if (cancelsRequests) {
    await hangAndCancel(agent);
  }
  await agent.request("_peers/unknown", {}).catch(failed);
}

await client({ name: "official" })
  .onRequest(methods.client.session.requestPermission, permission)
  .onRequest(methods.client.fs.readTextFile, readFile)
  .onNotification(methods.client.session.update, update)
  .connectWith(ndJsonStream(...peer.streams), session);
if ((await peer.close()) === 0) note("closed");
