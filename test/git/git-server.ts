import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serve } from "../serve.ts";
import { runProgram } from "../world/git/run-program.ts";

/** How the server treats requests; may be changed between requests. */
export interface ServerBehaviour {
  /** the highest protocol offered: with 1, the client's wish for version 2 is not passed on */
  protocol?: 1 | 2;
  /** the token asked for, as the password of user x-access-token */
  token?: string;
  /** answers instead of git; false leaves the request to git */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** changes a body of git's before it is sent; `undefined` sends what comes as it comes */
  alter?: (body: Buffer, path: string) => Buffer;
  /** breaks the connection after this many bytes of an answer to a POST */
  breakAfter?: number;
  /** says nothing more after this many bytes of an answer to a POST */
  stallAfter?: number;
}

export interface GitServer {
  url: string;
  behaviour: ServerBehaviour;
  /** "METHOD path" of each request since the start */
  log: string[];
  authorizations: (string | undefined)[];
  close(): Promise<void>;
}

/** Splits a CGI answer's head from its body; undefined where the head is not complete. */
function splitHead(bytes: Buffer): { status: number; headers: [string, string][]; rest: Buffer } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const lines = bytes.toString("latin1", 0, end).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  const status = Number.parseInt(headers.find(([name]) => name === "status")?.[1] ?? "200", 10);
  return { status, headers: headers.filter(([name]) => name !== "status"), rest: bytes.subarray(end + 4) };
}

/** Passes a body on as the behaviour says. */
function createSender(response: ServerResponse, behaviour: ServerBehaviour, isPost: boolean, path: string) {
  let sent = 0;
  const held: Buffer[] = [];
  const limit = isPost ? (behaviour.breakAfter ?? behaviour.stallAfter) : undefined;
  const send = (bytes: Buffer): void => {
    if (limit === undefined) {
      response.write(bytes);
      return;
    }
    if (sent < limit) response.write(bytes.subarray(0, limit - sent));
    sent += bytes.length;
    if (sent >= limit && behaviour.breakAfter !== undefined) setImmediate(() => response.destroy());
  };
  return {
    write: (bytes: Buffer): void => {
      if (behaviour.alter) held.push(bytes);
      else send(bytes);
    },
    end: (): void => {
      if (behaviour.alter) send(behaviour.alter(Buffer.concat(held), path));
      if (limit === undefined || sent < limit) response.end();
    },
  };
}

async function runBackend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  behaviour: ServerBehaviour,
): Promise<void> {
  const [path = "/", query = ""] = (request.url ?? "/").split("?");
  const wished = behaviour.protocol === 1 ? undefined : request.headers["git-protocol"];
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    REMOTE_USER: "test",
    REMOTE_ADDR: "127.0.0.1",
    REQUEST_METHOD: request.method,
    PATH_INFO: decodeURIComponent(path),
    QUERY_STRING: query,
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    CONTENT_LENGTH: request.headers["content-length"],
    GIT_PROTOCOL: wished?.toString(),
  };
  const sender = createSender(response, behaviour, request.method === "POST", path);
  const input = await buffer(request).catch(() => undefined);
  if (input === undefined) return; // the client has gone
  try {
    const { out } = await runProgram({ command: "git", args: ["http-backend"], env, input });
    const split = splitHead(Buffer.from(out));
    if (split) response.writeHead(split.status, Object.fromEntries(split.headers));
    if (split && split.rest.length > 0) sender.write(split.rest);
    sender.end();
  } catch {
    response.destroy();
  }
}

/** Serves the repositories below `root` on a free port of loopback, through `git http-backend`. */
export async function startGitServer(root: string, behaviour: ServerBehaviour = {}): Promise<GitServer> {
  const log: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const served = await serve((request, response) => {
    log.push(`${request.method} ${request.url}`);
    authorizations.push(request.headers.authorization);
    const { token } = behaviour;
    const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
    if (behaviour.intercept?.(request, response)) return;
    if (token !== undefined && request.headers.authorization !== expected) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
      return;
    }
    void runBackend(root, request, response, behaviour);
  });
  return { ...served, behaviour, log, authorizations };
}
