import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createKeptRuns } from "../../src/app/kept-runs.ts";
import { RECORD_VERSION } from "../../src/data/run-record.ts";
import type { RunReport } from "../../src/run/runs.ts";
import { sampleReport } from "../report/run/sample-report.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const POSIX = process.platform === "win32" ? it.skip : it;

describe("the runs that the command line keeps", () => {
  let top: string;
  let folder: string;
  let said: string[];
  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), "magis-kept-"));
    folder = join(top, "state", "magis", "runs");
    said = [];
  });
  afterEach(() => rm(top, { recursive: true, force: true }));

  const open = () => createKeptRuns(folder, (sentence) => void said.push(sentence));
  const run = (id: string, requestedAt = new Date().toISOString(), changes: Partial<RunReport> = {}): RunReport => ({
    ...sampleReport(),
    id,
    requestedAt,
    ...changes,
  });

  it("returns a kept run by its id, and the latest by its issue", async () => {
    const [first, last] = [run("ana/shop#7@a", daysAgo(2)), run("ana/shop#7@b", daysAgo(1))];
    await open().keep(last);
    await open().keep(first);
    expect(await open().report("ana/shop#7@a")).toEqual(JSON.parse(JSON.stringify(first)));
    expect(await open().latestReport({ owner: "Ana", name: "shop" }, 7)).toMatchObject({ id: "ana/shop#7@b" });
    expect((await open().latest(20)).map(({ id }) => id)).toEqual(["ana/shop#7@b", "ana/shop#7@a"]);
    expect((await open().latest(1))[0]).toMatchObject({ repository: "ana/shop", number: 7, title: first.title });
    expect(await open().report("ana/shop#7@c")).toBeUndefined();
    expect(said).toEqual([]);
  });

  it("is empty, and creates nothing, before a run is kept", async () => {
    expect(await open().latest(20)).toEqual([]);
    expect(await open().report("a")).toBeUndefined();
    expect(await readdir(top)).toEqual([]);
  });

  POSIX("is for its owner alone, also where the folder was open to others", async () => {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o777);
    await open().keep(run("a"));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it("deletes runs that are too old or too many, and nothing else", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "notes.txt"), "mine");
    await open().keep(run("old", daysAgo(31)));
    expect(await open().latest(99)).toHaveLength(1);
    for (let at = 0; at < 55; at++) await open().keep(run(`run ${at}`, daysAgo(10 - at / 10)));
    const kept = (await open().latest(99)).map(({ id }) => id);
    expect(kept).toHaveLength(50);
    expect(kept[0]).toBe("run 54");
    expect(kept).not.toContain("old");
    expect(await readdir(folder)).toContain("notes.txt");
  });

  it("serves several processes at the same time", async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `run ${at}`);
    const kept = Promise.all(ids.map((id) => open().keep(run(id))));
    const read = Promise.all(ids.map(() => open().latest(99)));
    await kept;
    for (const runs of await read) for (const { id } of runs) expect(ids).toContain(id);
    expect((await open().latest(99)).length).toBeLessThanOrEqual(51);
    expect(said).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("removes drafts of dead processes when they are as old as runs may be", async () => {
    const [dead, alive] = [daysAgo(31), daysAgo(1)].map((at) => `.${at.replace(/[:.]/g, "-")}-0.json.0.tmp`);
    await mkdir(folder, { recursive: true });
    for (const name of [dead, alive]) await writeFile(join(folder, name ?? ""), "{");
    await open().keep(run("b"));
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([alive]);
  });

  const NAME = `2026-01-01T12-00-00-000Z-${"0".repeat(32)}.json`;
  const hostile: readonly (readonly [string, (file: string) => Promise<void> | void])[] = [
    ["no JSON", (file) => writeFile(file, "{")],
    ["nothing", (file) => writeFile(file, "")],
    ["another thing", (file) => writeFile(file, "[]")],
    ["a directory", async (file) => void (await mkdir(file))],
    [
      "a link to a run",
      async (file) => {
        await writeFile(join(top, "run.json"), JSON.stringify(sampleReport()));
        await symlink(join(top, "run.json"), file);
      },
    ],
    ["a pipe that nobody writes to", (file) => void execFileSync("sh", ["-c", 'mkfifo "$0"', file])],
  ];
  for (const [what, make] of hostile) {
    POSIX(`says that a file holds no run, and shows the others: ${what}`, async () => {
      await open().keep(run("a"));
      await make(join(folder, NAME));
      expect((await open().latest(20)).map(({ id }) => id)).toEqual(["a"]);
      expect(said).toEqual([expect.stringContaining(`${NAME} holds no run`)]);
      expect(await open().report("a")).toMatchObject({ id: "a" });
    });
  }

  it("skips runs kept by another version, and says so", async () => {
    await open().keep(run("a", undefined, { record: { version: RECORD_VERSION + 1 } }));
    expect(await open().report("a")).toBeUndefined();
    expect(said).toEqual([expect.stringContaining("Use the version that kept it.")]);
  });
});
