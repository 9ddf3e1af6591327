import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { RECORD_VERSION, type RecordParts } from "../../src/data/run-record.ts";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import { createRunStore } from "../../src/queue/database/run-store.ts";
import { keepRequest } from "../../src/queue/runs.ts";
import type { RunReport } from "../../src/run/runs.ts";
import { copyStarted } from "../bot/copy-database.ts";
import { startBotHere } from "../bot/start-bot.ts";
import { rsaKey } from "../fakes/rsa-key.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { QUIET } from "../queue/database/test-databases.ts";
import { sampleCall, sampleReport } from "../report/run/sample-report.ts";
import { startMagis, startMagisHere } from "./start-magis.ts";

const REQUEST = sampleRequest();

/** The built command line, in this process unless told; nothing is set but where the database is. */
async function magis(dataDir: string, words: readonly string[], start: typeof startMagis = startMagisHere) {
  const environment = { MAGIS_DATA_DIR: dataDir, XDG_STATE_HOME: join(dataDir, "state") };
  const started = start(words, { environment, cwd: dataDir });
  const { exitCode, out, err } = await started.ended;
  return { exitCode, out: out.toString(), err };
}

/** Keeps the sample run as the bot would have, with one answer of a megabyte. */
async function keepRun(dataDir: string): Promise<RunReport> {
  const { record, state, calls, title } = sampleReport();
  const database = await openDatabase({ dataDir, log: QUIET });
  try {
    const store = createRunStore(database.pool, QUIET);
    await keepRequest(database.pool, QUIET, REQUEST);
    if (state) await (await store.openWriter(REQUEST.id)).saveState(state);
    const parts = Object.entries(record).filter(([part]) => part !== "version") as [keyof RecordParts, unknown][];
    for (const [part, value] of parts) await (await store.openWriter(REQUEST.id)).saveRecord(part, value as never);
    const large = sampleCall("p11-review-work", 3_650_000, 100);
    const answer = { ...(large.answer as NonNullable<typeof large.answer>), text: "naïve ".repeat(170_000) };
    const all = [...calls, { ...large, answer }];
    for (const call of all) await store.recordCall(REQUEST.id, call);
    const { requestedAt } = REQUEST;
    return {
      id: REQUEST.id,
      repository: "ana/shop",
      number: 7,
      title,
      requestedAt,
      work: "resolve",
      state,
      record: { version: RECORD_VERSION, ...record },
      calls: all,
    };
  } finally {
    await database.close();
  }
}

describe("magis show, built", () => {
  let dataDir: string;
  let kept: RunReport;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "magis-show-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("shows a file without any database", async () => {
    await writeFile(join(dataDir, "run.json"), JSON.stringify(sampleReport()));
    const ended = await magis(dataDir, ["show", "run.json"], startMagis);
    expect(ended).toMatchObject({ exitCode: 0, err: "", out: expect.stringContaining("Repository Custodian") });
    // Standard output is no terminal here.
    expect(ended.out).not.toContain("\u001b");
    expect(await readdir(dataDir)).toEqual(["run.json"]);
  });

  it("reads the database while the bot does not run", async () => {
    copyStarted(dataDir);
    kept = await keepRun(dataDir);
    const list = await magis(dataDir, ["show"]);
    expect(list).toMatchObject({ exitCode: 0, out: expect.stringContaining("ana/shop#7  [budget used up]  $0.0760") });
    const { exitCode, out } = await magis(dataDir, ["show", REQUEST.id, "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({ ...JSON.parse(JSON.stringify(kept)), standing: { is: "ended" } });
  });

  it("asks the bot while that runs, and gets all of a large answer", async () => {
    const secrets = {
      PRIVATE_KEY: rsaKey(),
      APP_ID: "7",
      WEBHOOK_SECRET: "a-webhook-secret",
      ANTHROPIC_API_KEY: "none",
    };
    const bot = await startBotHere({ environment: { ...secrets, MAGIS_DATA_DIR: dataDir } });
    try {
      const { exitCode, out } = await magis(dataDir, ["show", "Ana/SHOP#7", "--json"], startMagis);
      expect(exitCode).toBe(0);
      expect(JSON.parse(out)).toEqual({ ...JSON.parse(JSON.stringify(kept)), standing: { is: "ended" } });
      const text = await magis(dataDir, ["show", "ana/shop#7", "--part", "calls"]);
      expect(text).toMatchObject({ exitCode: 0, out: expect.stringMatching(/In sequence +7 one after another/) });
    } finally {
      await bot.stop();
    }
  });
});
