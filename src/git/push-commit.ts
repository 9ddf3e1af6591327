import { MagisError } from "../data/error.ts";
import { stripEscapes } from "../text/strip-escapes.ts";
import { commitLinks, type ObjectStore } from "./object-store.ts";
import { createPktLineParser, FLUSH, parseAdvertisement, pktLine } from "./pkt-line.ts";
import { parseTree } from "./read-tree.ts";
import { collectBody, type GitTransport } from "./transport.ts";

export interface PushOptions {
  transport: GitTransport;
  store: ObjectStore;
  /** makes a pack of exactly these objects */
  pack: (ids: string[]) => Promise<Uint8Array>;
  commit: string;
  /** full name of the ref, "refs/heads/x" */
  ref: string;
}

const NO_ID = "0".repeat(40);

const NOT_FORWARD = /non-fast-forward|fetch first/i;

/** The part of git's check-ref-format that keeps a name from meaning anything else on the wire. */
function isFullRef(ref: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids control characters in ref names
  const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[./]$/;
  return /^refs\/[^/]+\/./.test(ref) && !forbidden.test(ref);
}

function moved(ref: string, reason: string): MagisError {
  const message = `The branch ${ref} has moved on; nothing was pushed (${reason}).`;
  return new MagisError("GIT_BRANCH_MOVED", message, { ref, reason });
}

function refused(ref: string, reason: string): MagisError {
  return new MagisError("GIT_PUSH_REFUSED", `The git server refused the push to ${ref}: ${reason}`, { ref, reason });
}

/** The id of `ref` on the server, or 40 zeros. Pushing has no protocol v2: the server lists all refs. */
async function currentId(transport: GitTransport, ref: string): Promise<{ id: string; sideBand: boolean }> {
  const answer = await transport({ method: "GET", path: "/info/refs?service=git-receive-pack" });
  const server = parseAdvertisement(await collectBody(answer.body));
  if (!server) throw new MagisError("GIT_UNREACHABLE", "The server does not answer like a git server.");
  return { id: server.refs.get(ref) ?? NO_ID, sideBand: server.capabilities.has("side-band-64k") };
}

/**
 * Pushes a commit made here to one ref, never by force; pushing it again is harmless. The pack holds only what was made
 * here. Throws GIT_BRANCH_MOVED when the ref is not an ancestor, GIT_PUSH_REFUSED with the server's words,
 * and what `GitTransport` throws. Format: gitprotocol-pack "Pushing Data To a Server".
 */
export async function pushCommit({ transport, store, pack, commit, ref }: PushOptions): Promise<void> {
  if (!isFullRef(ref)) throw refused(ref, "it is not a full ref name.");
  const { id: old, sideBand } = await currentId(transport, ref);
  if (old === commit) return;
  if (old !== NO_ID && !newCommits(store, commit).seen.has(old)) throw moved(ref, "non-fast-forward");
  const capabilities = `report-status${sideBand ? " side-band-64k" : ""} agent=git/magis`;
  const command = pktLine(`${old} ${commit} ${ref}\0 ${capabilities}\n`);
  const answer = await transport({
    method: "POST",
    path: "/git-receive-pack",
    headers: {
      "content-type": "application/x-git-receive-pack-request",
      accept: "application/x-git-receive-pack-result",
    },
    body: Buffer.concat([command, FLUSH, await pack(newObjects(store, commit))]),
  });
  const report = readPushReport(await collectBody(answer.body));
  // Where unpacking failed, no ref was updated.
  if (report.updated) return;
  const reason = report.refusal ?? report.unpack ?? "it gave no report.";
  // "failed to update ref" may mean that somebody else was faster: look at the ref itself.
  const { id: now } = await currentId(transport, ref);
  if (now === commit) return;
  if (NOT_FORWARD.test(reason) || now !== old) throw moved(ref, reason);
  throw refused(ref, report.messages ? `${reason}. It says: ${report.messages}` : reason);
}

export interface NewCommits {
  /** ids of commits made here, the given one first */
  made: readonly string[];
  /** these and all their parents */
  seen: ReadonlySet<string>;
}

/** Follows the parents of `commit` through commits made here. */
function newCommits(store: ObjectStore, commit: string): NewCommits {
  const made: string[] = [];
  const seen = new Set([commit]);
  for (const id of seen) {
    const object = store.get(id);
    if (object?.type !== "commit" || !store.isWritten(id)) continue;
    made.push(id);
    for (const parent of commitLinks(store.content(object)).parents) seen.add(parent);
  }
  return { made, seen };
}

/**
 * Ids of the objects that a push of `commit` must carry, found by following only trees made here. isomorphic-git's own
 * push walks every tree, and cannot read one that holds a name with a backslash.
 */
function newObjects(store: ObjectStore, commit: string): string[] {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id) || !store.isWritten(id)) return;
    found.add(id);
    const object = store.get(id);
    if (object?.type === "tree") for (const entry of parseTree(store.content(object))) visit(entry.id);
    else if (object?.type === "commit") visit(commitLinks(store.content(object)).tree);
  };
  for (const id of newCommits(store, commit).made) visit(id);
  return [...found];
}

export interface PushReport {
  /** "ok", or what went wrong with the pack; undefined when the server did not say */
  unpack: string | undefined;
  /** why the ref was not updated; undefined when it was */
  refusal: string | undefined;
  updated: boolean;
  /** what hooks and rules printed */
  messages: string;
}

/** A message without colours and other control characters. */
function readable(text: string): string {
  const plain = stripEscapes(text).replace(/[\p{Cc} ]+/gu, " ");
  return plain.trim().slice(0, 1000);
}

/** Reads the answer to a push of one ref. Format: gitprotocol-pack "Report Status", inside side-band-64k or bare. */
function readPushReport(bytes: Buffer): PushReport {
  const report: Buffer[] = [];
  const messages: string[] = [];
  for (const packet of createPktLineParser().feed(bytes)) {
    if (typeof packet === "string") continue;
    if (packet[0] === 1) report.push(packet.subarray(1));
    else if (packet[0] === 2 || packet[0] === 3) messages.push(packet.toString("utf8", 1));
  }
  // Without side bands the report's lines come as they are.
  const lines = [...createPktLineParser().feed(report.length > 0 ? Buffer.concat(report) : bytes)].map((packet) =>
    typeof packet === "string" ? "" : packet.toString("utf8").trim(),
  );
  const unpack = lines.find((line) => line.startsWith("unpack "))?.slice(7);
  const refused = lines.find((line) => line.startsWith("ng "));
  const refusal =
    refused === undefined ? undefined : readable(refused.split(" ").slice(2).join(" ")) || "no reason given";
  return {
    unpack,
    refusal,
    updated: lines.some((line) => line.startsWith("ok ")),
    messages: readable(messages.join("")),
  };
}
