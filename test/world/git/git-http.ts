import { mkdir, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { gitEnvironment, runProgram } from "./run-program.ts";

interface GitTarget {
  /** folder of the bare repository */
  path: string;
  /** whether it asks what there is, before the service itself */
  isAdvertisement: boolean;
  /** False for an app that lacks the permission `workflows`. */
  mayTouchWorkflows: boolean;
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

const FOLDER = "guards";

/** The variables of a push whose sender may not touch workflows: only there does git start the guard. */
const GUARDED = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.hooksPath", GIT_CONFIG_VALUE_0: FOLDER };

const HOOK = `#!/bin/sh
while read -r old new ref; do
  case "$new" in *[!0]*) ;; *) continue ;; esac
  file=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
  [ -z "$file" ] && continue
  printf 'refusing to allow a GitHub App to create or update workflow \`%s\` without \`workflows\` permission\\n' "$file" >&2
  exit 1
done
`;

/**
 * Makes the bare repository at `path` refuse workflow files from apps without `workflows`, late in the push like
 * GitHub.
 */
export async function guardWorkflows(path: string): Promise<void> {
  await mkdir(join(path, FOLDER));
  await writeFile(join(path, FOLDER, "pre-receive"), HOOK, { mode: 0o755 });
}
