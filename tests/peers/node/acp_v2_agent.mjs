// An ACP v2 agent on @agentclientprotocol/sdk. With the argument `router` it serves clients of v1 too, by the SDK's router.

import { agent, agentProtocolRouter, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk/experimental/v2";
import {
  aborted, CANCELLED, later, NAME_FORM, NOT_FOUND, ownStreams, PERMISSION_OPTIONS, QUESTION,
} from "./session.mjs";

const cancelled = later();
let cancellations = 0;
const PROMPTS = ["count", "edit", "wait", "withdraw"];

// Runs a turn, which goes on after its prompt was answered.
async function turn(client, sessionId, text) {
  const update = (body) => client.notify(methods.client.session.update, { sessionId, update: body });
  const state = (name, more) => update({ sessionUpdate: "state_update", state: name, ...more });
  const tell = (words) =>
    update({ sessionUpdate: "agent_message_chunk", messageId: `m-${text}`, content: { type: "text", text: words } });
  const ask = (title, toolCallId, options) =>
    client.request(
      methods.client.session.requestPermission,
      { sessionId, title, subject: { type: "tool_call", toolCall: { toolCallId } }, options: PERMISSION_OPTIONS },
      options,
    );
  const tool = (status, more) => update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status, ...more });
  await state("running");
  let stopReason = "end_turn";
  if (text === "count") {
    for (const number of ["one", "two", "three"]) await tell(number);
  } else if (text === "edit") {
    await tool("pending", { title: "edit" });
    await state("requires_action");
    const { outcome } = await ask("edit", "c1");
    if (outcome.optionId !== "yes") throw RequestError.internalError(outcome);
    await state("running");
    const form = { sessionId, mode: "form", message: QUESTION, requestedSchema: NAME_FORM };
    const answer = await client.request(methods.client.elicitation.create, form);
    const content = [{ type: "content", content: { type: "text", text: `hello ${answer.content.name}` } }];
    await tool("completed", { content });
  } else if (text === "wait") {
    await tell("waiting");
    await cancelled.promise;
    stopReason = "cancelled";
  } else if (text === "withdraw") {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await ask("withdrawn", "c2", { cancellationSignal: controller.signal }).catch(() => undefined);
    await tell("withdrawn");
  }
  await state("idle", { stopReason });
}

function prompt({ params, client }) {
  const text = params.prompt[0].text;
  if (!PROMPTS.includes(text)) throw new RequestError(NOT_FOUND, `no such prompt: ${text}`);
  setTimeout(() => turn(client, params.sessionId, text), 0);
  return { messageId: `u-${text}` };
}

const info = { name: "official", version: "1" };
const v2 = agent({ name: "official" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 2, info, capabilities: { session: {} } }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
  .onRequest(methods.agent.session.prompt, prompt)
  .onRequest(methods.agent.session.close, () => ({}))
  .onNotification(methods.agent.session.cancel, () => cancelled.resolve())
  .onRequest("_peers/echo", (params) => params, ({ params }) => params)
  .onRequest("_peers/hang", (params) => params, async ({ signal }) => {
    await aborted(signal);
    cancellations += 1;
    throw new RequestError(CANCELLED, "cancelled");
  })
  .onRequest("_peers/cancellations", (params) => params, () => ({ count: cancellations }));

if (process.argv[2] === "router") {
  const { app } = await import("./acp_v1_agent.mjs");
  agentProtocolRouter().withV1(app).withV2(v2).connect(ndJsonStream(...ownStreams()));
} else {
  v2.connect(ndJsonStream(...ownStreams()));
}
