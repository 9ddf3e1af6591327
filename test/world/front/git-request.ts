import type { IncomingMessage, ServerResponse } from "node:http";
import { branchMoved } from "../git/branch-moved.ts";
import { type GitService, serveGit } from "../git/git-http.ts";
import type { Actor, RepositoryState, WorldState } from "../state.ts";
import { authorise } from "./authorise.ts";
import type { FrontParts } from "./front-parts.ts";

/** Serves clone, fetch and push by the same rules as REST; announces moved refs before the push returns. */
export async function gitRequest(
  { state, faults, journal }: FrontParts,
  request: IncomingMessage,
  response: ServerResponse,
  [, owner = "", name = "", rest = ""]: RegExpExecArray,
  url: URL,
): Promise<void> {
  const method = request.method ?? "GET";
  const path = url.pathname + url.search;
  const isAdvertisement = rest === "info/refs";
  const service = serviceOf(isAdvertisement ? url.searchParams.get("service") : rest);
  const writes = service === "git-receive-pack";
  const actor = actorOf(state, request.headers.authorization);
  const repo = state.repositories.get(`${owner}/${name}`);
  const note = (status: number) => journal.push({ kind: "git", method, path, status, actor: actor?.login ?? "?" });
  const fault = faults.take(method, path);
  if (fault?.reset === "before") {
    note(0);
    return void request.socket.destroy();
  }
  const refusal = fault?.status ?? verdict(service, actor, repo, writes);
  if (refusal !== undefined || repo === undefined || actor === undefined || service === undefined) {
    request.resume();
    const status = refusal ?? 404;
    note(status);
    const challenge: Record<string, string> = status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {};
    return void response.writeHead(status, { ...challenge, ...fault?.headers }).end("Repository not found.\n");
  }
  await faults.pass(method, path, "before");
  const mayTouchWorkflows = actor.kind !== "installation" || actor.permissions.workflows === "write";
  const push = writes && !isAdvertisement;
  const before = push ? await repo.bare.refs() : new Map<string, string>();
  await serveGit(request, response, service, { path: repo.bare.path, isAdvertisement, mayTouchWorkflows }, async () => {
    if (push) await announceMoves(state, repo, actor, before);
    await faults.pass(method, path, "after");
    if (fault?.reset === "after") request.socket.destroy();
  });
  note(fault?.reset === "after" ? 0 : response.statusCode);
}

/** Reads a user's token as password with any name, an installation's only with x-access-token. */
function actorOf(state: WorldState, header: string | undefined): Actor | undefined {
  const basic = /^Basic (.+)$/i.exec(header ?? "")?.[1] ?? "";
  const [, user = "", token = ""] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(basic, "base64").toString()) ?? [];
  const actor = state.tokens.get(token);
  const expired = actor?.kind === "installation" && actor.expires <= Date.now();
  const misnamed = actor?.kind === "installation" && user !== "x-access-token";
  return expired || misnamed ? undefined : actor;
}

const serviceOf = (name: string | null): GitService | undefined =>
  name === "git-upload-pack" || name === "git-receive-pack" ? name : undefined;

function verdict(
  service: GitService | undefined,
  actor: Actor | undefined,
  repo: RepositoryState | undefined,
  writes: boolean,
): number | undefined {
  if (service === undefined) return 403;
  if (actor === undefined) return 401;
  if (repo === undefined) return 404;
  const role = writes ? "write" : "read";
  return authorise(actor, repo, { permissions: ["contents"], level: writes ? "write" : "read", role })?.status;
}

async function announceMoves(state: WorldState, repo: RepositoryState, actor: Actor, before: Map<string, string>) {
  const after = await repo.bare.refs();
  for (const ref of new Set([...before.keys(), ...after.keys()]))
    await branchMoved(state, repo, actor, { ref, before: before.get(ref), after: after.get(ref) });
}
