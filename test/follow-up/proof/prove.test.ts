import { describe, expect, it } from "@jest/globals";
import { readRecord } from "../../../src/data/read-record.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import { nextPause } from "../../../src/follow-up/proof/watch-checks.ts";
import type { HostState } from "../../fakes/host-state.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { mergeElsewhere, PERSON } from "./people.ts";
import { GREEN, NOT_RED, proving, RIGHT, type Scene, silent, TEST, WRONG } from "./proving.ts";

const { pushes: person, closes: closed, merges: merged } = PERSON;

const baseMoves = (path: string) => (state: HostState) => mergeElsewhere(state, path);

const REQUIRED = { settings: { proof: "required" } } as const;
const CHANGE = "fix: do what the issue asks for";
const COMMITS = ["test: add", "fix: add"];
const NOT_SHOWN = "test passes without the fix too, so it does not show the fault";
const WRONG_RED = 'the test alone, "ci" fails for another reason than the fault: an import is missing';
const STEPPED_BACK = "has committed to this branch";

interface Expected {
  /** first lines of the commits, oldest first */
  commits?: readonly string[];
  draft?: boolean;
  /** a text in the body of the pull request */
  says?: string;
  /** a text in the run's result */
  said?: string;
  proved?: boolean;
  /** a text in a comment on the pull request */
  comment?: string;
  /** the fix is only in the comment on the issue, as a patch */
  withheld?: true;
  /** the state of the change in the comment on the issue */
  stands?: string;
  /** the body's words about what was not verified */
  verified?: string;
}

describe("a fix and its proof", () => {
  it.each<[string, Scene, Expected]>([
    ["right red, then green", {}, { draft: false, proved: true, says: ": `-1 is not 3` |" }],
    ["required, right red, then green", REQUIRED, { draft: false, proved: true }],
    [
      "not red, rewritten, right red, green",
      { red: [NOT_RED, RIGHT] },
      { commits: ["test: add", ...COMMITS], draft: false, proved: true },
    ],
    [
      "not red twice",
      { red: [NOT_RED] },
      {
        commits: ["test: add", ...COMMITS],
        draft: true,
        proved: false,
        says: NOT_SHOWN,
        said: "Is the fault still there",
      },
    ],
    [
      "wrong red, repaired, right red, green",
      { red: [WRONG, RIGHT] },
      { commits: ["test: add", ...COMMITS], draft: false, proved: true },
    ],
    ["wrong red twice", { red: [WRONG] }, { commits: ["test: add", ...COMMITS], proved: false, says: WRONG_RED }],
    [
      "wrong red twice, required",
      { red: [WRONG], ...REQUIRED },
      { commits: ["test: add", ...COMMITS], draft: true, proved: false, says: "<!-- magis:unproved -->" },
    ],
    ["cancelled", { red: [silent("cancelled")] }, { draft: true, proved: false, says: "they were cancelled." }],
    [
      "the checks wait for a person",
      { red: [silent("waiting")] },
      { draft: true, proved: false, says: "they wait for somebody", comment: "wait for somebody to approve them" },
    ],
    [
      "no check starts",
      { red: [silent("none")] },
      { draft: true, proved: false, says: "none ran.", comment: "No check has run on this commit" },
    ],
    [
      "the checks wait for a person or do not come at first, and are there at the next look",
      { red: [silent("waiting"), RIGHT], green: [silent("none"), GREEN] },
      { draft: false, proved: true },
    ],
    [
      "the checks are running at first, and have failed at the next look",
      { red: [silent("running"), RIGHT], green: [silent("running"), GREEN] },
      { draft: false, proved: true },
    ],
    [
      "the test fails with the fix as well",
      { green: [RIGHT] },
      { draft: true, proved: false, says: "test still fails with the fix." },
    ],
    [
      "another test fails with the fix",
      { green: [WRONG] },
      {
        draft: true,
        proved: false,
        says: 'the fix, "ci" fails: an import is missing',
      },
    ],
    [
      "the check that was red does not run with the fix",
      { green: [silent("missing")] },
      {
        draft: true,
        proved: false,
        says: "one that passed on the base did not run.",
        comment: "A check that passed on the base has not run",
      },
    ],
    [
      "a person pushes while the test's checks run",
      { red: [{ before: person, say: silent("running") }] },
      {
        commits: ["test: add", "Mine"],
        draft: true,
        said: "a person committed to its branch",
        comment: STEPPED_BACK,
        withheld: true,
      },
    ],
    [
      "the step that ran the tests prints only `ok` with the fix",
      { green: [silent("unreported", "passed")] },
      {
        draft: true,
        proved: false,
        says: "With the fix, the checks prove nothing: neither a report nor the log of a step tells which tests ran.",
        verified: "## Not proved",
      },
    ],
    [
      "an old test does not run with the fix",
      {
        green: [{ ...silent("lost", "passed"), lost: [{ check: "ci", before: 11, now: 10, names: ["reads a pair"] }] }],
      },
      { draft: true, proved: false, says: 'In "ci", 11 tests ran before, and 10 now. Missing: "reads a pair".' },
    ],
    [
      "this app may not start workflows",
      { red: [silent("not-allowed")] },
      {
        draft: true,
        proved: false,
        says: "is not allowed to start workflows here",
        comment: "An administrator can allow it",
      },
    ],
    [
      "a person pushes while the fix's checks run",
      { green: [{ before: person, say: silent("running") }] },
      {
        commits: [...COMMITS, "Mine"],
        draft: true,
        said: "a person committed to its branch",
        comment: STEPPED_BACK,
      },
    ],
    [
      "the test alone is merged",
      { red: [{ before: merged, say: RIGHT }] },
      { commits: ["test: add"], said: "the pull request was merged before the fix was pushed.", withheld: true },
    ],
    [
      "the pull request is closed while the fix's checks run",
      { green: [{ before: closed, say: silent("running") }] },
      {
        says: "The pull request was closed before its checks had ended.",
        said: "the pull request was closed before its checks had ended.",
        stands: "has the change and was closed.",
      },
    ],
    [
      "the pull request is merged while the fix's checks run",
      { green: [{ before: merged, say: silent("running") }] },
      {
        said: "the pull request was merged before its checks had ended.",
        stands: "has the change and was merged.",
      },
    ],
    [
      "the base moves under these files between red and fix",
      { red: [{ before: baseMoves("src/sum.js"), say: RIGHT }] },
      { draft: true, proved: false, says: "files changed on main while the checks ran" },
    ],
    [
      "the base moves under these files while the fix's checks run",
      { green: [{ before: baseMoves(TEST), say: GREEN }] },
      {
        draft: true,
        proved: false,
        says: "To start again, close this and comment `/magis resolve` on the issue",
      },
    ],
    [
      "the base moves elsewhere",
      { red: [{ before: baseMoves("docs/other.md"), say: RIGHT }] },
      { draft: false, proved: true },
    ],
    [
      "the base moves under these files, so that no check starts",
      { red: [{ before: baseMoves(TEST), say: silent("cancelled") }] },
      { draft: true, proved: false, says: "files changed on main while the checks ran" },
    ],
    ["the base is red", { base: [WRONG] }, { commits: ["fix: add"], says: 'is already red, in "ci".' }],
    [
      "the base is red, required",
      { base: [WRONG], ...REQUIRED },
      { commits: ["fix: add"], draft: true, says: "<!-- magis:unproved -->" },
    ],
    [
      "no check ran on the base",
      { base: [silent("none")] },
      { commits: ["fix: add"], says: "This repository has no checks." },
    ],
    [
      "a feature",
      { type: "feat" },
      { commits: ["feat: add"], says: "is not a bug fix, so no test of it can fail first." },
    ],
    [
      "a feature, required",
      { type: "feat", ...REQUIRED },
      { commits: ["feat: add"], says: "is not a bug fix, so no test of it can fail first." },
    ],
    ["the paper's form", { settings: PAPER }, { commits: [CHANGE], says: "is only known once the work is done" }],
    [
      "off",
      { settings: { proof: "off" } },
      { commits: ["fix: add"], says: "is configured not to wait for the checks (`proof: off`)." },
    ],
  ])("%s", async (_what, scene, expected) => {
    const run = await proving(scene);
    const result = await run.resolve();
    const {
      commits = COMMITS,
      draft,
      says = "",
      said = "",
      proved,
      comment,
      withheld,
      stands,
      verified = "",
    } = expected;
    expect(result.kind).toBe("published");
    expect(run.commits()).toEqual(commits);
    expect(run.state.pullRequests).toHaveLength(1);
    if (draft !== undefined) expect(run.pull()?.draft).toBe(draft);
    expect(run.body()).toContain(says);
    const proof = result.kind === "published" ? result.proof : undefined;
    expect(proof?.said ?? "").toContain(said);
    if (proved !== undefined) expect(proof?.proved).toBe(proved);
    const onPull = run.state.comments.map(({ body }) => body).filter((body) => !body.includes("magis:run "));
    expect(onPull).toEqual(comment === undefined ? [] : [expect.stringContaining(comment)]);
    if (comment === STEPPED_BACK) expect(run.body()).toContain("so I leave it as it is.");
    expect(run.body()).toContain(verified);
    const final = run.state.comments.find(({ body }) => body.includes("magis:run "))?.body ?? "";
    expect(final.includes("+export const sum = (a, b) => a + b;")).toBe(withheld === true);
    expect(final.includes("Only the test of the change is in [the pull request](")).toBe(withheld === true);
    expect(final.includes("[The pull request](")).toBe(withheld !== true);
    expect(final.includes("`/magis retry` publishes the change in a new pull request")).toBe(withheld === true);
    expect(final.includes("shows how it stands now")).toBe(withheld !== true && stands === undefined);
    expect(final).toContain(stands ?? "");
    expect(run.body()).not.toContain("## Being tested");
    const { proof: kept } = readRecord(await run.store.record(result.kind === "published" ? run.id : ""));
    if (proved === true) expect(kept?.pushes.map(({ verdict }) => verdict).slice(-2)).toEqual(["right-red", "green"]);
    if (proof && comment !== STEPPED_BACK && kept?.said) expect(kept.said).toBe(proof.said);
    expect(run.questions.filter(({ ask }) => ask === "base")).toHaveLength(
      scene.type === "feat" || scene.settings?.proof === "off" || scene.settings?.profile === "paper" ? 0 : 1,
    );
  });
});

describe("the comment of a run that waits for checks", () => {
  it("says since when it waits, and shows publishing as not done", async () => {
    const shown: string[] = [];
    const look = {
      before: ({ comments }: HostState) => {
        const own = comments.find(({ body }) => body.includes("magis:run "));
        shown.push(own?.body ?? "");
      },
      say: RIGHT,
    };
    const run = await proving({ red: [silent("running"), silent("running"), look] });
    await run.resolve();
    expect(shown[0]).toMatch(/\*\*Now:\*\* waiting for checks since \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
    expect(shown[0]).toContain("- [x] **code**");
    expect(shown[0]).toContain("- [ ] **publish**: waiting for checks");
    expect((await run.store.state(run.id))?.checks).toBeUndefined();
  });
});

it("tells QA that what another commit does is not missing", async () => {
  const run = await proving();
  await run.resolve();
  const apart = run
    .of("p11-review-work")
    .map(({ text }) => /nothing of them is missing here:\n\n([\s\S]*?)\n\n/.exec(text)?.[1]);
  expect(apart).toEqual([
    "- modify `src/sum.js`: `Change src/sum.js`",
    "- modify `test/sum.test.js`: `Change test/sum.test.js`",
  ]);
});

it("gives every task an id of its own", async () => {
  const run = await proving({ missing: { test: ["test/more.test.js: Test it."], fix: ["src/more.js: Add it."] } });
  await run.resolve();
  const { work } = readRecord(await run.store.record(run.id));
  const ids = (work?.outcomes ?? []).map(({ taskId }) => taskId);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(ids.length);
});

describe("a rewritten test", () => {
  it("still counts as new compared to the base", async () => {
    const run = await proving({ red: [NOT_RED, RIGHT] });
    await run.resolve();
    const asked = run.questions.filter(({ ask }) => ask !== "base").map(({ tests }) => tests);
    expect(asked).toHaveLength(3);
    for (const tests of asked) expect(tests).toEqual([{ path: TEST, within: [], name: "adds" }]);
  });
});

const SUM = "export const sum = (a, b) => a + b;";

/** A fix too long for a comment. */
const LARGE = `${SUM}\n${"// Sums are sums.\n".repeat(3_000)}`;

const WHENS = { "while the test's checks run": silent("running"), "once the test has failed": RIGHT } as const;

describe("a paid fix that was not pushed because a person", () => {
  it.each([
    ["pushes", "while the test's checks run", "short"],
    ["merges", "while the test's checks run", "short"],
    ["closes", "once the test has failed", "long"],
    ["deletes its branch", "once the test has failed", "short"],
  ] as const)("%s %s, with a %s patch, is published on request", async (deed, when, size) => {
    const fix = size === "short" ? SUM : LARGE;
    const run = await proving({
      red: [{ before: PERSON[deed], say: WHENS[when] }, RIGHT],
      fix: [{ start: 1, end: 1, anchor: "", text: fix }],
    });
    const { state } = run;
    expect(await run.resolve()).toMatchObject({ kind: "published", withheld: expect.stringContaining(`+${SUM}`) });
    const comment = run.comment();
    expect(comment).toContain("Only the test of the change is in [the pull request](");
    expect(comment).toContain("`/magis retry` publishes the change in a new pull request");
    expect(comment.includes(`+${SUM}`)).toBe(size === "short");
    expect(run.body()).toContain("My comment on the issue says where the fix is.");
    expect(run.body()).not.toContain("The fix follows");

    const left = state.pullRequests[0];
    const asked = run.asked().length;
    const again = { id: "ana/shop#7@again", root: run.id };
    expect(await run.resolve(again)).toMatchObject({ kind: "published", proof: { proved: true } });
    expect(run.asked()).toHaveLength(asked);
    expect(state.pullRequests).toHaveLength(2);
    const [first, own] = state.pullRequests;
    // The branch stays the bot's own while nobody else commits to it.
    expect(first).toEqual(deed === "pushes" ? left : { ...left, head: first?.head });
    expect(own).toMatchObject({ open: true, draft: false, body: expect.stringContaining("## Tested") });
    expect(state.objects.textAt(own?.head ?? "", "src/sum.js")).toBe(`${fix}${fix.endsWith("\n") ? "" : "\n"}`);
    expect(run.comment()).toContain(`[The pull request](${own?.url}) has the change and shows how it stands now.`);
    expect(run.comment()).not.toContain("/magis retry");
  });

  it("is not published where its files are protected by now, and its test not alone either", async () => {
    const run = await proving({ red: [{ before: PERSON.closes, say: RIGHT }, RIGHT] });
    await run.resolve();
    const settings = { ...DEFAULT_SETTINGS, protect: ["src/**"] };
    const result = await run.resolve({ id: "ana/shop#7@again", root: run.id, settings });
    expect(result).toMatchObject({
      kind: "gave-up",
      reason: expect.stringContaining("`src/sum.js`: left alone, it is protected (`src/**`)"),
    });
    expect(run.state.pullRequests).toHaveLength(1);
  });

  it("is kept again when a person closes the next pull request too", async () => {
    const run = await proving({
      red: [
        { before: PERSON.closes, say: RIGHT },
        {
          before: (state) => state.pullRequests.splice(1, 1, { ...(state.pullRequests[1] ?? never()), open: false }),
          say: RIGHT,
        },
        RIGHT,
      ],
    });
    await run.resolve();
    expect(await run.resolve({ id: "ana/shop#7@again", root: run.id })).toMatchObject({
      withheld: expect.stringContaining(SUM),
    });
    const last = await run.resolve({ id: "ana/shop#7@last", root: run.id });
    expect(last).toMatchObject({ proof: { proved: true }, pullRequest: { number: run.state.pullRequests[2]?.number } });
  });
});

function never(): never {
  throw new Error("there is no second pull request");
}

const MINUTE = 60_000;

it("looks at stuck checks less and less often, and again soon after news", () => {
  const pauses: number[] = [];
  for (let pause: number | undefined; pauses.length < 6; ) {
    pause = nextPause(pause, pause ?? 0);
    pauses.push(pause / MINUTE);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
  expect(nextPause(15 * MINUTE, 3 * MINUTE)).toBe(MINUTE);
});
