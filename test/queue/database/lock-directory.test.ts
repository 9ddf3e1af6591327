import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { askHolder, type DirectoryLock, lockDirectory } from "../../../src/queue/database/directory-lock.ts";
import { QUIET } from "./test-databases.ts";

const onLinux = process.platform === "linux" ? it : it.skip;

describe("lockDirectory", () => {
  let root: string;
  const locks: DirectoryLock[] = [];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "magis-lock-"));
  });
  afterEach(async () => {
    for (const lock of locks.splice(0)) await lock.release();
    await rm(root, { recursive: true, force: true });
  });
  const lock = async (path: string) => {
    const held = await lockDirectory(path, QUIET);
    locks.push(held);
    return held;
  };

  it("locks one directory, by any path, and no other", async () => {
    const [one, other, link] = [join(root, "one"), join(root, "other"), join(root, "link")];
    await mkdir(one);
    await mkdir(other);
    await symlink(one, link);
    await lock(one);
    const refused = { code: "DATA_DIRECTORY_IN_USE", data: { pid: process.pid } };
    await expect(lock(one)).rejects.toMatchObject(refused);
    await expect(lock(link)).rejects.toMatchObject(refused);
    await lock(other);
  });

  it("frees the directory when released, and leaves nothing in it", async () => {
    const held = await lockDirectory(root, QUIET);
    await held.release();
    expect(await readdir(root)).toEqual([]);
    await lock(root);
  });

  onLinux("works with a path too long for a socket", async () => {
    const long = join(root, "x".repeat(120), "y".repeat(120));
    await mkdir(long, { recursive: true });
    await lock(long);
    await expect(lock(long)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
    expect(await readdir(long)).toEqual(["magis.lock"]);
  });

  it("takes over a stale socket file", async () => {
    const path = join(root, "magis.lock");
    await writeFile(path, "");
    await lock(root);
    await expect(lock(root)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
  });

  it("sees a holder in another network namespace through the socket file", async () => {
    const holder = createServer((_, response) => void response.setHeader("x-magis-pid", 4711).end());
    await new Promise<void>((resolve) => holder.listen(join(root, "magis.lock"), resolve));
    try {
      await expect(lock(root)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE", data: { pid: 4711 } });
    } finally {
      await new Promise((resolve) => holder.close(resolve));
    }
  });
});

describe("askHolder", () => {
  let root: string;
  let held: DirectoryLock | undefined;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "magis-ask-"));
  });
  afterEach(async () => {
    await held?.release();
    held = undefined;
    await rm(root, { recursive: true, force: true });
  });

  it("gets the holder's answer, also with a long path", async () => {
    const long = join(root, "x".repeat(120));
    await mkdir(long);
    for (const path of process.platform === "linux" ? [root, long] : [root]) {
      const lock = await lockDirectory(path, QUIET);
      lock.serve(async (request) => ({ heard: request }));
      expect(await askHolder(path, { text: "naïve\n\u2028" })).toEqual({ heard: { text: "naïve\n\u2028" } });
      expect(await askHolder(path, 2)).toEqual({ heard: 2 });
      await expect(lockDirectory(path, QUIET)).rejects.toMatchObject({ data: { pid: process.pid } });
      await lock.release();
    }
  });

  it("finds no holder in a free directory, behind a left-over file, and without a directory", async () => {
    expect(await askHolder(root, {})).toBeUndefined();
    expect(await askHolder(join(root, "none"), {})).toBeUndefined();
    await writeFile(join(root, "magis.lock"), "");
    expect(await askHolder(root, {})).toBeUndefined();
  });

  it("gets a large answer whole, and fails at once when an answer is not JSON", async () => {
    held = await lockDirectory(root, QUIET);
    const large = { text: "naïve ".repeat(3_000_000) };
    held.serve(async (request) => (request === 1 ? large : { never: 1n }));
    expect(await askHolder(root, 1)).toEqual(large);
    await expect(askHolder(root, 2)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
  });

  it("says who holds the directory when there is no answer", async () => {
    held = await lockDirectory(root, QUIET);
    const silent = { code: "DATA_DIRECTORY_IN_USE", data: { pid: process.pid } };
    await expect(askHolder(root, {})).rejects.toMatchObject(silent);
    held.serve(() => Promise.reject(new Error("no")));
    await expect(askHolder(root, {})).rejects.toMatchObject(silent);
  });

  onLinux("says nothing by the name that every user can reach", async () => {
    held = await lockDirectory(root, QUIET);
    const { dev, ino } = await stat(root, { bigint: true });
    const asked = connect(`\0magis-${dev}-${ino}`).on("error", () => undefined);
    let said = "";
    asked.on("data", (bytes) => {
      said += bytes;
    });
    await new Promise((resolve) => asked.on("close", resolve));
    expect(said).toBe("");
  });

  it("refuses whatever is not a command, and unlocks while somebody is connected", async () => {
    held = await lockDirectory(root, QUIET);
    const heard: unknown[] = [];
    held.serve(async (command) => heard.push(command));
    const socketPath = join(root, "magis.lock");
    const post = (words: string) =>
      new Promise<number | undefined>((resolve) => {
        request({ socketPath, method: "POST" }, ({ statusCode }) => resolve(statusCode))
          .on("error", () => resolve(undefined))
          .end(words);
      });
    expect(await post("{ no json")).toBe(400);
    expect([400, undefined]).toContain(await post(JSON.stringify("x".repeat(20_000))));
    const waiting = new Promise((resolve) =>
      connect(socketPath)
        .on("error", () => undefined)
        .on("close", resolve),
    );
    await held.release();
    held = undefined;
    await waiting;
    expect(heard).toEqual([]);
  });
});
