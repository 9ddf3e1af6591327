import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { gitEnvironment } from "./run-git.ts";
import { runProgram } from "./run-program.ts";
import { GUARDED } from "./workflows-guard.ts";

export interface GitTarget {
  /** folder of the bare repository */
  readonly path: string;
  /** whether it asks what there is, before the service itself */
  readonly isAdvertisement: boolean;
  /** False for an app that lacks the permission `workflows`. */
  readonly mayTouchWorkflows: boolean;
}

export type GitService = "git-upload-pack" | "git-receive-pack";

/**
 * Serves a request of git's smart HTTP (gitprotocol-http) by the real `git upload-pack` or `git receive-pack`. So does
 * `git http-backend`, which is one program more to start for each request. `done` runs after git and before the client
 * sees the end: GitHub updates a pull request before the push returns. Resolves once the whole answer has been sent.
 */
export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  service: GitService,
  { path, isAdvertisement, mayTouchWorkflows }: GitTarget,
  done: () => Promise<void>,
): Promise<void> {
  const sent = await buffer(request).catch(() => undefined);
  if (sent === undefined) return; // the client has gone
  const protocol = String(request.headers["git-protocol"] ?? "");
  const flags = isAdvertisement ? ["--stateless-rpc", "--advertise-refs"] : ["--stateless-rpc"];
  const { code, out } = await runProgram({
    command: "git",
    args: [service.slice("git-".length), ...flags, path],
    env: gitEnvironment({ GIT_PROTOCOL: protocol, ...(!mayTouchWorkflows && GUARDED) }),
    input: request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent,
  });
  await done();
  if (code !== 0 && out.length === 0) response.writeHead(500);
  else {
    const kind = isAdvertisement ? "advertisement" : "result";
    response.writeHead(200, { "content-type": `application/x-${service}-${kind}`, "cache-control": "no-cache" });
    if (isAdvertisement && !/\bversion=2\b/.test(protocol)) response.write(announced(service));
    response.write(out);
  }
  await new Promise<void>((resolve) => {
    response.end(resolve);
    if (response.destroyed) resolve();
  });
}

/** The line that comes before the refs in version 0 of the protocol, as a packet, and the packet that ends it. */
function announced(service: GitService): string {
  const line = `# service=${service}\n`;
  return `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`;
}
