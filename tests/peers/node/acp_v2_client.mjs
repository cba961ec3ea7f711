// An ACP v2 client on @agentclientprotocol/sdk. Usage: node acp_v2_client.mjs [--echo] AGENT_COMMAND...

import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk/experimental/v2";
import { hangAndCancel, later, note, start } from "./session.mjs";

const waiting = later();
const idle = { wait: later() };
const echoes = process.argv[2] === "--echo";
const peer = start(process.argv.slice(echoes ? 3 : 2));

async function permission({ params, signal }) {
  note("permission asked", params.title);
  if (params.title === "withdrawn") {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { outcome: { outcome: "cancelled" } };
  }
  const { optionId } = params.options.find((option) => option.kind === "allow_once");
  return { outcome: { outcome: "selected", optionId } };
}

function form({ params }) {
  note("form asked", params.message, Object.keys(params.requestedSchema.properties));
  return { action: "accept", content: { name: "Ann" } };
}

function update({ params }) {
  const { sessionUpdate, content, status, state, stopReason } = params.update;
  if (sessionUpdate === "agent_message_chunk") {
    note("message", content.text);
    if (content.text === "waiting") waiting.resolve();
  } else if (sessionUpdate === "tool_call_update") {
    note("tool call", status, ...(content ?? []).map((item) => item.content.text));
  } else if (sessionUpdate === "state_update") {
    note("state", state, ...(stopReason === undefined ? [] : [stopReason]));
    if (state === "idle") idle.wait.resolve();
  }
}

async function prompt(agent, sessionId, ...texts) {
  idle.wait = later();
  const blocks = texts.map((text) => ({ type: "text", text }));
  await agent.request(methods.agent.session.prompt, { sessionId, prompt: blocks });
  if (texts[0] === "wait") {
    await waiting.promise;
    await agent.notify(methods.agent.session.cancel, { sessionId });
  }
  await idle.wait.promise;
}

async function session(agent) {
  const info = { name: "official", version: "1" };
  const capabilities = { elicitation: { form: {} } };
  const { protocolVersion } = await agent.request(methods.agent.initialize, { protocolVersion: 2, info, capabilities });
  note("initialized", protocolVersion);
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: "/w", mcpServers: [] });
  note("session opened");
  const failed = (error) => note("error", error.code);
  if (echoes) {
    await prompt(agent, sessionId, "one", "two", "three");
  } else {
    for (const text of ["count", "edit", "wait", "fail", "withdraw"]) await prompt(agent, sessionId, text).catch(failed);
    note("echo", await agent.request("_peers/echo", { text: "x" }));
    await hangAndCancel(agent);
  }
  await agent.request("_peers/unknown", {}).catch(failed);
  if (echoes) return;
  await agent.request(methods.agent.session.close, { sessionId });
  note("session closed");
}

await client({ name: "official" })
  .onRequest(methods.client.session.requestPermission, permission)
  .onRequest(methods.client.elicitation.create, form)
  .onNotification(methods.client.session.update, update)
  .connectWith(ndJsonStream(...peer.streams), session);
if ((await peer.close()) === 0) note("closed");
