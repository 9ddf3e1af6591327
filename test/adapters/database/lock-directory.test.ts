import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { lockAddresses } from "../../../src/adapters/database/lock-addresses.ts";
import { type DirectoryLock, lockDirectory } from "../../../src/adapters/database/lock-directory.ts";
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

  it("holds one directory, by whatever path, and not another", async () => {
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

  it("is free again when it is released, and leaves nothing in the directory", async () => {
    const held = await lockDirectory(root, QUIET);
    await held.release();
    expect(await readdir(root)).toEqual([]);
    await lock(root);
  });

  it("takes a path that is too long for a socket", async () => {
    const long = join(root, "x".repeat(120), "y".repeat(120));
    await mkdir(long, { recursive: true });
    await lock(long);
    await expect(lock(long)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
    expect(await readdir(long)).toEqual(process.platform === "linux" ? ["magis.lock"] : []);
  });

  it("takes over a socket file that nobody listens on", async () => {
    const path = join(root, "magis.lock");
    await writeFile(path, "");
    await lock(root);
    await expect(lock(root)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE" });
  });

  it("sees a holder in another network namespace by the socket file", async () => {
    const holder = createServer((socket) => socket.end("4711\n"));
    await new Promise<void>((resolve) => holder.listen(join(root, "magis.lock"), resolve));
    try {
      await expect(lock(root)).rejects.toMatchObject({ code: "DATA_DIRECTORY_IN_USE", data: { pid: 4711 } });
    } finally {
      await new Promise((resolve) => holder.close(resolve));
    }
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
