import { expect, it } from "@jest/globals";
import { RECORD_VERSION } from "../../../src/data/run-record.ts";
import { initialState, type RunState } from "../../../src/data/run-state.ts";
import { statusWords } from "../../../src/data/run-status.ts";
import { createRunArchive, createRunStore } from "../../../src/queue/database/run-store.ts";
import { enqueueRun, keepRequest } from "../../../src/queue/runs.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { sampleCall } from "../../report/run/sample-report.ts";
import { onEachDatabase } from "./on-each-database.ts";
import { QUIET } from "./test-databases.ts";

const STATE: RunState = {
  phases: [],
  tasks: [],
  spend: { calls: 1, tokens: 10, money: 0.25, elapsed: 5 },
  resumed: 0,
  result: { kind: "published", pullRequest: { number: 12, url: "https://x/12" }, openThreads: 0 },
};

onEachDatabase("createRunArchive", (opened) => {
  const parts = () => {
    const { pool } = opened.database;
    return { pool, store: createRunStore(pool, QUIET), archive: createRunArchive(pool, QUIET) };
  };

  it("has no run at first", async () => {
    const { archive } = parts();
    expect(await archive.latest(20)).toEqual([]);
    expect(await archive.report("ana/shop#7@delivery-1")).toBeUndefined();
    expect(await archive.latestReport({ owner: "ana", name: "shop" }, 7)).toBeUndefined();
  });

  it("gives a run with its record and calls, or its root's when it continues another", async () => {
    const { pool, store, archive } = parts();
    const first = sampleRequest({ text: { title: "As it was asked \u0000", body: "" } });
    await keepRequest(pool, QUIET, first);
    const asked = { repository: "ana/shop", number: 7, requestedAt: first.requestedAt, work: "resolve" };
    const bare = {
      id: first.id,
      ...asked,
      title: "As it was asked \u0000",
      record: {},
      calls: [],
      standing: { is: "ended" },
    };
    expect(await archive.report(first.id)).toEqual(bare);

    const call = sampleCall("p04-plan-work", 5, 100);
    await store.recordCall(first.id, call);
    await (await store.openWriter(first.id)).saveState(STATE);
    const issue = sampleIssue({ title: "As it was read" });
    const start = { issue, base: { branch: "main", commit: "1".repeat(40) }, by: first.id };
    await (await store.openWriter(first.id)).saveRecord("start", start);
    const next = sampleRequest({ id: "ana/shop#7@delivery-2", requestedAt: "2026-01-02T12:00:00Z" });
    await keepRequest(pool, QUIET, next);
    const whole = {
      title: "As it was read",
      state: STATE,
      record: { version: RECORD_VERSION, start },
      calls: [call],
      standing: { is: "ended" },
    };
    expect(await archive.report(first.id)).toEqual({ id: first.id, ...asked, ...whole });
    const latest = { id: next.id, ...asked, requestedAt: next.requestedAt, ...whole };
    expect(await archive.latestReport({ owner: "ANA", name: "Shop" }, 7)).toEqual(latest);
  });

  it("says where unfinished runs of a repository stand in the queue", async () => {
    const { pool, store, archive } = parts();
    const repository = { owner: "eva", name: "queue", installationId: 3 };
    const requests = [1, 2, 3].map((issue) =>
      sampleRequest({ repository, issue, id: `eva/queue#${issue}@1`, root: `eva/queue#${issue}@1` }),
    );
    for (const request of requests) await enqueueRun(pool, QUIET, request);
    const since = "2026-01-01T12:05:00Z";
    const standings = async () => (await archive.latest(3)).map(({ standing }) => standing && statusWords(standing));
    expect(await standings()).toEqual([
      "queued behind 2 runs",
      "queued behind 1 run",
      "queued, next of its repository",
    ]);
    await pool.query("UPDATE magis.work SET state = 'working' WHERE id = $1", ["eva/queue#1@1"]);
    const phases = [{ name: "locate", status: "working" }] as const;
    await (await store.openWriter("eva/queue#1@1")).saveState({ ...initialState(), phases, since });
    expect(await standings()).toEqual(["queued behind 2 runs", "queued behind 1 run", "finding the files"]);
    expect((await archive.report("eva/queue#1@1"))?.standing).toEqual({ is: "working", phase: "locate", since });
    await pool.query("UPDATE magis.work SET state = 'aside' WHERE id = $1", ["eva/queue#1@1"]);
    await (await store.openWriter("eva/queue#1@1")).saveState({ ...initialState(), phases: [], checks: { since } });
    expect(await standings()).toEqual(["queued behind 1 run", "queued, next of its repository", "waiting for checks"]);
    await pool.query("DELETE FROM magis.work WHERE queue = '3/eva/queue'");
    await pool.query("DELETE FROM magis.run WHERE repository = 'eva/queue'");
  });

  it("lists the latest runs first, including those whose request was lost", async () => {
    const { store, archive } = parts();
    await (await store.openWriter("ben/till#3@lost")).saveState({
      ...STATE,
      result: { kind: "gave-up", reason: "" },
    });
    const ended = { title: "As it was read", end: "published", pullRequest: 12, money: 0.25 };
    const lost = { id: "ben/till#3@lost", repository: "ben/till", number: 3, title: "", requestedAt: "" };
    const [one, two, three] = await archive.latest(20);
    expect(one).toEqual({ ...lost, end: "gave-up", money: 0.25, standing: { is: "ended" } });
    expect(two).toMatchObject({ id: "ana/shop#7@delivery-2", requestedAt: "2026-01-02T12:00:00Z", ...ended });
    expect(three).toMatchObject({ id: "ana/shop#7@delivery-1", ...ended });
    expect(await archive.latest(1)).toEqual([one]);
  });
});
