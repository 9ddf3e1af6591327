import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { isMagisError, MagisError, type MagisErrorCode } from "../../src/data/error.ts";
import { createOpenRepository } from "../../src/git/open-repository.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";
import { type GitServer, type ServerBehaviour, startGitServer } from "./git-server.ts";

const TOKEN = "ghs_secret0123456789";
const NORMAL: Record<keyof ServerBehaviour, undefined> = {
  protocol: undefined,
  token: undefined,
  intercept: undefined,
  alter: undefined,
  breakAfter: undefined,
  stallAfter: undefined,
};

async function codeOf(action: Promise<unknown>): Promise<MagisErrorCode | undefined> {
  try {
    await action;
    return undefined;
  } catch (error) {
    if (!isMagisError(error)) throw error;
    expect(error.message).toMatch(/^[A-Z].*\.$/s);
    expect(JSON.stringify([error.message, error.data])).not.toContain(TOKEN);
    return error.code;
  }
}

describe("a transfer that goes wrong", () => {
  let repo: GitRepo;
  let server: GitServer;
  let commit: string;
  const source = (signal?: AbortSignal) => ({
    url: `${server.url}/repo.git`,
    commit,
    token: async () => TOKEN,
    signal,
  });
  const open = createOpenRepository({ timeoutMs: 120_000 });

  beforeAll(async () => {
    repo = createGitRepo();
    const files = Array.from({ length: 20 }, (_, i) => ({ path: `f${i}`, content: randomBytes(20_000) }));
    commit = repo.commit(files);
    server = await startGitServer(repo.root);
  });
  beforeEach(() => {
    Object.assign(server.behaviour, NORMAL);
  });
  afterAll(async () => {
    await server.close();
    repo.remove();
  });

  it("recognises a refused token, by 401 and 403", async () => {
    server.behaviour.token = "another";
    expect(await codeOf(open(source()))).toBe("GIT_TOKEN_REFUSED");
    server.behaviour.intercept = (_, response) => Boolean(response.writeHead(403).end("no"));
    expect(await codeOf(open(source()))).toBe("GIT_TOKEN_REFUSED");
    Object.assign(server.behaviour, { ...NORMAL, token: TOKEN });
    expect(await codeOf(open(source()))).toBeUndefined();
  });

  it("says when the repository or the commit is not there", async () => {
    expect(await codeOf(open({ ...source(), url: `${server.url}/none.git` }))).toBe("GIT_NOT_FOUND");
    expect(await codeOf(open({ ...source(), commit: "f".repeat(40) }))).toBe("GIT_NOT_FOUND");
    expect(await codeOf(open({ ...source(), commit: "main" }))).toBe("GIT_NOT_FOUND");
  });

  it("says when the server cannot be reached, fails, or is no git server", async () => {
    expect(await codeOf(open({ ...source(), url: "http://127.0.0.1:1/repo.git" }))).toBe("GIT_UNREACHABLE");
    expect(await codeOf(open({ ...source(), url: "file:///repo.git" }))).toBe("GIT_UNREACHABLE");
    server.behaviour.intercept = (_, response) => Boolean(response.writeHead(503).end("busy"));
    expect(await codeOf(open(source()))).toBe("GIT_UNREACHABLE");
    server.behaviour.intercept = (_, response) => Boolean(response.writeHead(200).end("<html>hello</html>"));
    expect(await codeOf(open(source()))).toBe("GIT_UNREACHABLE");
  });

  it.each([0, 100, 5_000, 300_000])("finds a pack damaged after %i bytes", async (position) => {
    server.behaviour.alter = (body, path) => {
      if (!path.endsWith("upload-pack")) return body;
      const start = body.indexOf("PACK");
      const place = start + Math.max(position, 12) + 5;
      body[place] = (body[place] ?? 0) ^ 0x55;
      return body;
    };
    // The damaged byte may also be one of a packet's length.
    expect(["GIT_PACK_CORRUPT", "GIT_UNREACHABLE"]).toContain(await codeOf(open(source())));
  });

  it.each([600, 70_000, 390_000])("finds a pack cut off after %i bytes, broken off or ended", async (bytes) => {
    server.behaviour.breakAfter = bytes;
    expect(await codeOf(open(source()))).toBe("GIT_PACK_CORRUPT");
    Object.assign(server.behaviour, NORMAL);
    server.behaviour.alter = (body) => body.subarray(0, bytes);
    expect(await codeOf(open(source()))).toBe("GIT_PACK_CORRUPT");
  });

  it("stops at the limit", async () => {
    const small = createOpenRepository({ maxUnpackedBytes: 100_000 });
    expect(await codeOf(small(source()))).toBe("GIT_PACK_TOO_LARGE");
    const objects = repo.git(["rev-list", "--objects", "--no-object-names", source().commit]);
    const exact = repo.git(["cat-file", "--batch-check=%(objecttype) %(objectsize)"], objects);
    const lines = exact.toString().trim().split("\n");
    const perObject = 400;
    const bytes = lines.reduce((sum, line) => sum + line.length + 1 + Number(line.split(" ")[1]) + perObject, 0);
    expect(await codeOf(createOpenRepository({ maxUnpackedBytes: bytes })(source()))).toBeUndefined();
    expect(await codeOf(createOpenRepository({ maxUnpackedBytes: bytes - 1 })(source()))).toBe("GIT_PACK_TOO_LARGE");
  });

  it("frees the memory of a failed transfer", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const large = repo.commit(
      Array.from({ length: 12 }, (_, i) => ({ path: `f${i}`, content: randomBytes(1_000_000) })),
    );
    collect();
    const before = process.memoryUsage().arrayBuffers;
    const limited = createOpenRepository({ maxUnpackedBytes: 10_000_000 });
    const error = await limited({ ...source(), commit: large }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "GIT_PACK_TOO_LARGE" });
    const deadline = Date.now() + 20_000;
    do {
      await new Promise(setImmediate);
      collect();
    } while (process.memoryUsage().arrayBuffers > before + 3_000_000 && Date.now() < deadline);
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(before + 3_000_000);
  });

  it("gives up on a server that stalls or never ends", async () => {
    server.behaviour.stallAfter = 50_000;
    expect(await codeOf(createOpenRepository({ timeoutMs: 200 })(source()))).toBe("GIT_TIMEOUT");
    Object.assign(server.behaviour, NORMAL);
    server.behaviour.intercept = (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("0032"), 20);
      response.on("close", () => clearInterval(timer));
      return true;
    };
    const slow = createOpenRepository({ timeoutMs: 5_000, totalTimeoutMs: 300 });
    expect(await codeOf(slow(source()))).toBe("GIT_TIMEOUT");
  });

  it("stops when the signal fires: before, and while the pack comes in", async () => {
    expect(await codeOf(open(source(AbortSignal.abort())))).toBe("RUN_CANCELLED");
    const controller = new AbortController();
    server.behaviour.stallAfter = 50_000;
    const opening = codeOf(open(source(controller.signal)));
    setTimeout(() => controller.abort(new MagisError("RUN_CANCELLED", "The run was cancelled.")), 100);
    expect(await opening).toBe("RUN_CANCELLED");
  });

  it("follows a redirect on the same host only, and never sends another host the token", async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    server.behaviour.intercept = (request, response) => {
      if (!request.url?.startsWith("/moved")) return false;
      const to = request.url.replace(/^\/moved/, "/repo");
      return Boolean(response.writeHead(301, { location: to }).end());
    };
    expect(await codeOf(open({ ...source(), url: `${server.url}/moved.git` }))).toBeUndefined();
    // The same host by another protocol is another place, too.
    for (const origin of [`http://127.0.0.1:${port}`, server.url.replace(/^http:/, "https:")]) {
      server.behaviour.intercept = (_, response) =>
        Boolean(response.writeHead(302, { location: `${origin}/repo.git/git-upload-pack` }).end());
      expect(await codeOf(open(source()))).toBe("GIT_REDIRECT_REFUSED");
    }
    expect(seen).toEqual([]);
    await new Promise<void>((resolve) => other.close(() => resolve()));
  });
});
