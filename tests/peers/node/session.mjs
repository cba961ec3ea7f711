// What the programs here share: the record on standard output, the constants of the script, and pipes to a peer.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";

export const FILE = "/w/a.txt";
export const FILE_TEXT = "text of the file";
export const ROOT = "file:///w";
export const GREETING_URI = "demo://greeting";
export const NOT_FOUND = -32002;
export const CANCELLED = -32800;

export const QUESTION = "What is your name?";
export const NAME_FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

export const PERMISSION_OPTIONS = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

export function note(...entry) {
  console.log(JSON.stringify(entry));
}

// The web streams of this process, as an agent has them.
export function ownStreams() {
  return [Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)];
}

// Starts a peer; `close` ends its input and gives its exit code.
export function start([command, ...args]) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const close = async () => {
    child.stdin.end();
    const [code] = await exited;
    return code;
  };
  return { streams: [Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)], close };
}

// A promise with its resolve function.
export function later() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

// Calls a method that runs until it is cancelled, and cancels it.
export async function hangAndCancel(agent) {
  const options = { cancellationSignal: AbortSignal.timeout(200) };
  await agent.request("_peers/hang", {}, options).catch((error) => {
    if (error.code === CANCELLED) note("cancelled");
  });
  note("cancellations", (await agent.request("_peers/cancellations", {})).count);
}

// Resolves when the signal is aborted.
export function aborted(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}
