import { describe, expect, it } from "@jest/globals";
import { joinParts, readRecord, readRun } from "../../src/data/read-record.ts";
import { RECORD_VERSION, type RecordParts } from "../../src/data/run-record.ts";
import type { ChangeDescription } from "../../src/models/agents.ts";
import type { PublishedCommit } from "../../src/publish/land-commit.ts";
import { sampleComment } from "../fakes/sample-comment.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleOutcome } from "../fakes/sample-outcome.ts";
import { sampleTask } from "../fakes/sample-task.ts";

/** The fields of `Made`, at any depth, that `Kept` lacks and so would lose. */
type Lost<Made, Kept> = Made extends readonly (infer One)[]
  ? Kept extends readonly (infer Other)[]
    ? Lost<One, Other>
    : never
  : Made extends object
    ? {
        [Field in keyof Made]-?: Field extends keyof Kept
          ? Lost<NonNullable<Made[Field]>, NonNullable<Kept[Field]>>
          : Field;
      }[keyof Made]
    : never;

/** True if no field is lost; otherwise the compiler names the fields. Skips unions of forms. */
type Whole<Made, Kept> = [Lost<Made, Kept>] extends [never] ? true : Lost<Made, Kept>;

/** Every part with every field that a writer may set. */
const WHOLE: RecordParts = {
  start: {
    issue: sampleIssue({
      images: ["https://x/1"],
      standing: "author",
      discussion: [
        { author: "ben", standing: "maintainer", body: "Yes." },
        { author: "cid", body: "No." },
      ],
    }),
    base: { branch: "main", commit: "1".repeat(40) },
    by: "a/b#1@c",
    renewed: "It moved.",
    approved: "2".repeat(64),
  },
  candidates: {
    judged: [
      {
        path: "a.js",
        blob: "3".repeat(40),
        score: 1.5,
        reasons: ["its words"],
        summary: "A.",
        source: "given",
        relevant: true,
        use: "read",
        reason: "It calls.",
        names: ["a"],
      },
    ],
    note: "A note.",
  },
  tasks: { assignments: [sampleTask()], refused: [{ path: "LICENSE", reason: "protected" }], reason: "Cause." },
  plan: {
    tasks: [
      sampleTask({
        places: [{ path: "a.js", start: 1, end: 2 }],
        draft: { edits: [{ start: 1, end: 1, anchor: "a", text: "b\n" }], summary: "B." },
        threads: ["th1"],
      }),
    ],
    order: { sequence: [{ concurrently: [{ run: "t1" }] }] },
    source: 'run("t1");',
    fallback: "Why.",
    meeting: [{ speaker: "Manager", text: "So." }],
    agreed: "Agreed.",
    notes: ["Note."],
    questions: ["What?"],
    at: { path: "a.js", line: 3 },
    reason: "Cause.",
    refused: 1,
    description: { type: "fix", title: "T", problem: "P" },
  },
  work: {
    outcomes: [
      sampleOutcome({ comments: [sampleComment({ line: 2, reply: "Done." })], replies: { th1: "Yes." } }),
      sampleOutcome({ attempts: [{ round: 1, diff: "", rejected: "No.", approved: false, verdict: "" }] }),
    ],
    changes: [
      { kind: "modify", path: "a.js", edits: [{ start: 1, end: 1, text: "b\n" }] },
      { kind: "create", path: "b.js", content: "b\n" },
      { kind: "delete", path: "c.js" },
    ],
    unfollowed: ["Two at once."],
    patch: "diff",
    added: [sampleTask({ id: "t2" })],
    stopped: { limit: "money", unfinished: ["t2"] },
  },
  check: {
    command: "npm test",
    base: "green",
    tests: "right-red",
    rounds: 1,
    words: "",
    end: "green",
    first: "not ok",
  },
  proof: {
    said: "It is proved.",
    pushes: [
      {
        commit: "6".repeat(40),
        stage: "red",
        verdict: "right-red",
        reason: "import",
        checks: [{ name: "test", state: "failed", url: "https://x/2", seconds: 30, excused: true }],
        tests: [{ name: "adds", check: "test", words: "-1 is not 3" }],
        asked: [{ path: "test/sum.test.js", within: ["sum"], name: "adds", before: true, also: true, loose: true }],
      },
    ],
  },
  commit: { id: "4".repeat(40), branch: "magis/issue-1-t", way: "pushed, unsigned", title: "T" },
  description: { type: "fix", title: "T", problem: "P", solution: "S", template: "" },
  images: [{ asset: "1", mediaType: "image/png", hash: "5".repeat(64) }],
  undone: { by: "ana/shop#7@delivery-1", what: ["pull request #9 (closed)"] },
};

describe("readRecord", () => {
  it("knows every field that the phases produce", () => {
    const description: Whole<ChangeDescription, RecordParts["description"]> = true;
    const commit: Whole<Omit<PublishedCommit, "taken">, RecordParts["commit"]> = true;
    expect([description, commit]).not.toContain(false);
  });

  it("reads back every field of every part", () => {
    const stored = JSON.parse(JSON.stringify({ version: RECORD_VERSION, ...WHOLE }));
    expect(readRecord(stored)).toEqual({ ...WHOLE, others: {} });
  });

  it("keeps unknown and unreadable parts unchanged", () => {
    const others = { lookups: [1], plan: null, start: "none" };
    expect(readRecord({ version: RECORD_VERSION, ...others })).toEqual({ others });
    const odd = JSON.parse('{ "__proto__": { "plan": 1 }, "constructor": 2 }');
    expect(Object.entries(readRecord(odd).others)).toEqual(Object.entries(odd));
  });

  it.each([
    ["<!-- ai-assisted -->", true],
    ["<!-- magis:ready -->", false],
    ["@everyone", false],
    ["<!-- a --> <b> <!-- c -->", false],
  ])("takes the mark %s of a policy for the pull request: %s", (marker, isTaken) => {
    const policy = { asks: "disclose", quote: "Say so.", path: "AI.md", line: 1, marker };
    const { plan } = readRecord({ version: RECORD_VERSION, plan: { ...WHOLE.plan, policy } });
    expect(plan?.policy?.marker).toBe(isTaken ? marker : undefined);
  });

  it("refuses a record of another version with a sentence", () => {
    const read = () => readRecord({ version: RECORD_VERSION + 1 });
    expect(read).toThrow("The record of this run has format 3, and this version of MAGIS reads format 2.");
    expect(() => readRun({ ...RUN, record: { version: RECORD_VERSION + 1 } })).toThrow("format 3");
  });

  it("joins parts that were stored one by one", () => {
    const { commit, undone } = WHOLE;
    const joined = joinParts([
      { part: "commit", value: commit },
      { part: "undone", value: undone },
    ]);
    expect(joined).toEqual({ version: RECORD_VERSION, commit, undone });
    expect(readRecord(joined)).toEqual({ commit, undone, others: {} });
    expect(joinParts([])).toEqual({});
  });
});

const RUN = { id: "a/b#1@c", repository: "a/b", title: "T", requestedAt: "", record: {}, calls: [] };

describe("readRun", () => {
  it("reads a report", () => {
    expect(readRun(RUN)).toEqual({ ...RUN, record: { others: {} } });
  });

  it.each([[undefined], [{}], [{ ...RUN, record: [] }], [{ ...RUN, calls: 1 }], [{ ...RUN, state: { phases: 1 } }]])(
    "refuses %j",
    (report) => {
      expect(readRun(report)).toBeUndefined();
    },
  );
});
