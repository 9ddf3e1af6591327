import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { runGit } from "./run-git.ts";
import { runProgram } from "./run-program.ts";
import { GUARDED } from "./workflows-guard.ts";

export interface GitHttp {
  /** Serves one request; resolves once the whole answer has been sent. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    target: GitTarget,
    done: () => Promise<void>,
  ): Promise<void>;
}

export interface GitTarget {
  owner: string;
  repo: string;
  /** `info/refs`, `git-upload-pack` or `git-receive-pack`. */
  rest: string;
  query: string;
  user: string;
  /** False for an app that lacks the permission `workflows`. */
  mayTouchWorkflows: boolean;
}

/**
 * Serves git's smart HTTP by the real `git http-backend`, a CGI program, for the bare repositories under `folder`. A
 * request's `done` runs after git and before the client sees the end: GitHub updates a pull request before the push
 * returns.
 */
export async function gitHttp(folder: string): Promise<GitHttp> {
  const backend = `${(await runGit(["--exec-path"])).toString().trim()}/git-http-backend`;
  return {
    async serve(request, response, target, done) {
      const input = await buffer(request).catch(() => undefined);
      if (input === undefined) return; // the client has gone
      const env = environment(folder, request, target);
      const { out } = await runProgram({ command: backend, args: [], env, input });
      await done();
      const answer = Buffer.from(out);
      const end = answer.indexOf("\r\n\r\n");
      if (end < 0) response.writeHead(500);
      else {
        const { status, headers } = parseHead(answer.subarray(0, end).toString());
        response.writeHead(status, headers).write(answer.subarray(end + 4));
      }
      await new Promise<void>((resolve) => {
        response.end(resolve);
        if (response.destroyed) resolve();
      });
    },
  };
}

function environment(folder: string, request: IncomingMessage, target: GitTarget): NodeJS.ProcessEnv {
  const { "content-type": type, "content-length": length, "content-encoding": encoding } = request.headers;
  const protocol = request.headers["git-protocol"];
  return {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: "1",
    REQUEST_METHOD: request.method,
    PATH_INFO: `/${target.owner}/${target.repo}.git/${target.rest}`,
    QUERY_STRING: target.query,
    CONTENT_TYPE: type ?? "",
    REMOTE_USER: target.user,
    REMOTE_ADDR: "127.0.0.1",
    ...(!target.mayTouchWorkflows && GUARDED),
    CONTENT_LENGTH: length,
    HTTP_CONTENT_ENCODING: encoding,
    GIT_PROTOCOL: protocol?.toString(),
  };
}

function parseHead(text: string): { status: number; headers: Record<string, string> } {
  let status = 200;
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  return { status, headers };
}
