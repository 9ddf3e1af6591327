import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  type DirectoryLock,
  lockAddresses,
  lockDirectory,
  openLockAddresses,
} from "../../../src/adapters/database/directory-lock.ts";
import { askHolder } from "../../../src/adapters/database/inspect-database.ts";
import { askSocket } from "../../../src/adapters/database/lock-socket.ts";
import { QUIET } from "./test-databases.ts";

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

  it("works with a path too long for a socket", async () => {
    const long = join(root, "x".repeat(120), "y".repeat(120));
    await mkdir(long, { recursive: true });
    await lock(long);
    await expect(lock(long)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
    expect(await readdir(long)).toEqual(process.platform === "linux" ? ["magis.lock"] : []);
  });

  it("takes over a stale socket file", async () => {
    const path = join(root, "magis.lock");
    await writeFile(path, "");
    await lock(root);
    await expect(lock(root)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
  });

  it("sees a holder in another network namespace through the socket file", async () => {
    const holder = createServer((socket) => socket.end("4711\n"));
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
    for (const path of [root, long]) {
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

  it("accepts no command through the name that every user can reach", async () => {
    held = await lockDirectory(root, QUIET);
    const heard: unknown[] = [];
    held.serve(async (request) => heard.push(request));
    const { addresses, close } = await openLockAddresses(root);
    for (const { path, trusted } of addresses) {
      const said = await askSocket({ address: path, request: { path }, withinMs: 60_000 });
      expect(said).toMatchObject({ pid: process.pid });
      expect(typeof said === "object" && "answer" in said).toBe(trusted);
    }
    await close();
    expect(heard).toHaveLength(1);
  });

  it("disconnects whatever is not a command, and unlocks while somebody is connected", async () => {
    held = await lockDirectory(root, QUIET);
    const heard: unknown[] = [];
    held.serve(async (request) => heard.push(request));
    const text = (words: string) =>
      new Promise<string>((resolve) => {
        let said = "";
        const socket = connect(join(root, "magis.lock"), () => socket.write(words));
        socket.on("data", (chunk) => {
          said += chunk;
        });
        socket.on("error", () => undefined);
        socket.on("close", () => resolve(said));
      });
    expect(await text("{ no json\n")).toBe(`${process.pid}\n`);
    expect(await text("x".repeat(20_000))).toBe(`${process.pid}\n`);
    const waiting = text("");
    await held.release();
    held = undefined;
    await waiting;
    expect(heard).toEqual([]);
  });
});

describe("lockAddresses", () => {
  const directory = { path: "/data", identity: "1:2", descriptor: 5 };

  it("is an abstract name and a file on Linux, a file on macOS, a pipe on Windows", () => {
    const shape = (platform: NodeJS.Platform) => lockAddresses({ ...directory, platform }).map(({ path }) => path);
    expect(shape("linux")).toEqual([expect.stringMatching(/^\0magis-[0-9a-f]{32}$/), "/data/magis.lock"]);
    expect(shape("darwin")).toEqual(["/data/magis.lock"]);
    expect(shape("win32")).toEqual([expect.stringMatching(/^\\\\\.\\pipe\\magis-/)]);
  });

  it("stays within the length of a socket's path", () => {
    const path = `/${"long/".repeat(60)}data`;
    for (const platform of ["linux", "darwin"] as const) {
      for (const address of lockAddresses({ ...directory, path, platform })) {
        expect(Buffer.byteLength(address.path)).toBeLessThanOrEqual(103);
      }
    }
  });
});
