// An ACP v1 agent on @agentclientprotocol/sdk.

import { fileURLToPath } from "node:url";

import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { aborted, CANCELLED, FILE, later, NOT_FOUND, ownStreams, PERMISSION_OPTIONS } from "./session.mjs";

const cancelled = later();
let cancellations = 0;

async function prompt({ params, client }) {
  const { sessionId } = params;
  const update = (body) => client.notify(methods.client.session.update, { sessionId, update: body });
  const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const text = params.prompt[0].text;
  if (text === "count") {
    for (const number of ["one", "two", "three"]) await say(number);
  } else if (text === "edit") {
    await update({ sessionUpdate: "tool_call", toolCallId: "c1", title: "edit", status: "pending" });
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: "c1", title: "edit" },
      options: PERMISSION_OPTIONS,
    });
    if (outcome.optionId !== "yes") throw RequestError.internalError(outcome);
    const file = await client.request(methods.client.fs.readTextFile, { sessionId, path: FILE });
    const content = [{ type: "content", content: { type: "text", text: file.content } }];
    await update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", content });
  } else if (text === "wait") {
    await say("waiting");
    await cancelled.promise;
    return { stopReason: "cancelled" };
  } else if (text === "withdraw") {
    const controller = new AbortController();
    const asked = client.request(
      methods.client.session.requestPermission,
      { sessionId, toolCall: { toolCallId: "c2", title: "withdrawn" }, options: PERMISSION_OPTIONS },
      { cancellationSignal: controller.signal },
    );
    setTimeout(() => controller.abort(), 100);
    await asked.catch(() => undefined);
    await say("withdrawn");
  } else {
    throw new RequestError(NOT_FOUND, `no such prompt: ${text}`);
  }
  return { stopReason: "end_turn" };
}

export const app = agent({ name: "official" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentInfo: { name: "official", version: "1" } }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
  .onRequest(methods.agent.session.prompt, prompt)
  .onNotification(methods.agent.session.cancel, () => cancelled.resolve())
  .onRequest("_peers/echo", (params) => params, ({ params }) => params)
  .onRequest("_peers/hang", (params) => params, async ({ signal }) => {
    await aborted(signal);
    cancellations += 1;
    throw new RequestError(CANCELLED, "cancelled");
  })
  .onRequest("_peers/cancellations", (params) => params, () => ({ count: cancellations }));

if (process.argv[1] === fileURLToPath(import.meta.url)) app.connect(ndJsonStream(...ownStreams()));
