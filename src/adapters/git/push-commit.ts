import { MagisError } from "../../model/magis-error.ts";
import { collectBody } from "./collect-body.ts";
import type { GitTransport } from "./git-transport.ts";
import { newCommits } from "./new-commits.ts";
import { newObjects } from "./new-objects.ts";
import type { ObjectStore } from "./object-store.ts";
import { parseAdvertisement } from "./parse-advertisement.ts";
import { FLUSH, pktLine } from "./pkt-line.ts";
import { readPushReport } from "./read-push-report.ts";

export interface PushOptions {
  readonly transport: GitTransport;
  readonly store: ObjectStore;
  /** makes a pack of exactly these objects */
  readonly pack: (ids: string[]) => Promise<Uint8Array>;
  readonly commit: string;
  /** full name of the ref, "refs/heads/x" */
  readonly ref: string;
}

const NO_ID = "0".repeat(40);

/** What a server answers when the push would not be a fast-forward. */
const NOT_FORWARD = /non-fast-forward|fetch first/i;

/** A part of git's check-ref-format: enough to keep the name from being anything else on the wire. */
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

/** The id `ref` has on the server, or 40 zeros. There is no protocol v2 for pushing: the server lists all refs. */
async function currentId(transport: GitTransport, ref: string): Promise<{ id: string; sideBand: boolean }> {
  const answer = await transport({ method: "GET", path: "/info/refs?service=git-receive-pack" });
  const server = parseAdvertisement(await collectBody(answer.body));
  if (!server) throw new MagisError("GIT_UNREACHABLE", "The server does not answer like a git server.");
  return { id: server.refs.get(ref) ?? NO_ID, sideBand: server.capabilities.has("side-band-64k") };
}

/**
 * Pushes a commit made here to one ref, never forced; the same commit again is fine. The pack holds what was made here
 * and nothing else. Throws GIT_BRANCH_MOVED when the ref is not an ancestor, GIT_PUSH_REFUSED with the server's words,
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
  if (report.updated && report.unpack === "ok") return;
  const reason = report.refusal ?? report.unpack ?? "it gave no report.";
  // "failed to update ref" may mean that somebody else was faster, or not: the ref itself tells.
  const { id: now } = await currentId(transport, ref);
  if (now === commit) return;
  if (NOT_FORWARD.test(reason) || now !== old) throw moved(ref, reason);
  throw refused(ref, report.messages ? `${reason}. It says: ${report.messages}` : reason);
}
