import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commentWith, ownChecks } from "./check-scene.ts";
import { pushed, runChecks, startProofScene, title } from "./proof-scene.ts";
import type { Scene } from "./start-scene.ts";

describe("a fix, its test and the repository's checks", () => {
  let scene: Scene;
  let main = "";

  beforeAll(async () => {
    scene = await startProofScene({ ownProcess: true });
    main = await scene.world.git("rev-parse", "main");
    await runChecks(scene, main);
  });
  afterAll(() => scene.close());

  /** Another proof, already at its second test, which runs in the process that is killed. */
  let other: Awaited<ReturnType<typeof writtenAgain>>;

  /** Asks for a proof whose first test is wrong; gives its second, written by a call that says `said`. */
  async function writtenAgain(what: string, said: string) {
    const from = scene.model.journal.length;
    const issue = await scene.ask(title(what));
    const first = await pushed(scene, issue);
    await runChecks(scene, first.head.sha);
    const second = await pushed(scene, issue, first.head.sha);
    expect(await scene.world.git("diff", "--name-only", main, second.head.sha)).toBe("test/sum.test.js");
    expect(scene.calls("p09-change-file", from).some(({ call }) => call?.text.includes(said))).toBe(true);
    return { issue, second };
  }

  async function provedBySecond({ issue, second }: Awaited<ReturnType<typeof writtenAgain>>) {
    await runChecks(scene, second.head.sha);
    const green = await pushed(scene, issue, second.head.sha);
    await runChecks(scene, green.head.sha);
    const { pull } = await scene.ended(issue);
    expect(await scene.world.git("rev-parse", `${green.head.sha}^`)).toBe(second.head.sha);
    expect(pull?.body).toContain(`| without the fix, ${second.head.sha.slice(0, 10)} |`);
    expect(pull?.draft).toBe(false);
  }

  it("has a test that is red without it and green with it, though the process is killed on the way", async () => {
    const { world } = scene;
    const issue = await scene.ask(title("bites"));
    const red = await pushed(scene, issue);
    expect(red.draft).toBe(true);
    expect(await world.git("diff", "--name-only", main, red.head.sha)).toBe("test/sum.test.js");
    expect(await world.git("log", "-1", "--format=%s", red.head.sha)).toMatch(/^test: /);
    expect(red.body).toContain("This commit holds the new test alone, which must fail first.");
    await world.until(async () => (scene.calls("p11-review-work").length >= 2 ? true : undefined), {
      what: "the fix is coded",
    });
    other = await writtenAgain("passes at first", "It passed on the code as it is");
    await scene.bot().kill();
    await scene.startHere();
    await runChecks(scene, red.head.sha);
    const green = await pushed(scene, issue, red.head.sha);
    expect(await world.git("diff", "--name-only", red.head.sha, green.head.sha)).toBe("src/sum.js");
    expect(await world.git("rev-parse", `${green.head.sha}^`)).toBe(red.head.sha);
    await runChecks(scene, green.head.sha);
    const { comment, pull } = await scene.ended(issue);
    expect(comment.body).toContain("Tested: its test failed without the fix and passes with it");
    expect(pull?.body).toContain(`| without the fix, ${red.head.sha.slice(0, 10)} |`);
    expect(pull?.body).toContain("| **red** in [");
    expect(pull?.body).toContain(`with the fix, ${green.head.sha.slice(0, 10)} |`);
    expect(pull?.body).toContain("| green in [");
    expect(pull?.body).toContain("Squash when you merge");
    expect(pull?.body).not.toContain("Not tested");
    expect(pull?.title).toMatch(/^fix: /);
    expect(pull?.draft).toBe(false);
    const [own] = await ownChecks(scene, green.head.sha);
    expect(own?.output.summary).not.toContain("| test |");
    expect(scene.calls("k01-plan-repair")).toHaveLength(0);
    expect(
      (await world.pullRequests()).filter(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`)),
    ).toHaveLength(1);
  });

  it("gets a second test when the first passes without the fix, though the process is killed after that", () =>
    provedBySecond(other));

  it("stays a draft after a cancelled check; other runs go on meanwhile, and a feature needs no proof", async () => {
    const issue = await scene.ask(title("cancelled"));
    const red = await pushed(scene, issue);
    const feature = (await scene.ended(await scene.ask(title("a feature")))).pull;
    expect(feature?.body).toContain("## Not tested\n\nIt is not a bug fix, so no test of it can fail first.");
    expect(await scene.world.git("rev-parse", `${feature?.head.sha}^`)).toBe(main);
    await scene.world.ci(red.head.sha, [{ name: "test", conclusion: "cancelled" }], { suite: true });
    const { pull } = await scene.ended(issue);
    expect(pull?.body).toContain("the test alone, the checks gave no result: they were cancelled.");
    expect(pull?.draft).toBe(true);
  });

  it("is repaired when the checks fail with it, without touching the test that was red", async () => {
    const { world } = scene;
    const issue = await scene.ask(title("wrong at first"));
    const red = await pushed(scene, issue);
    await runChecks(scene, red.head.sha);
    const wrong = await pushed(scene, issue, red.head.sha);
    await runChecks(scene, wrong.head.sha);
    const { comment, pull } = await scene.ended(issue);
    const why = 'with the fix, "test" fails: an existing test fails.';
    expect(comment.body).toContain(`Tested, and failing: ${why}`);
    expect(pull?.body).toContain(`## Tested, and failing\n\nW${why.slice(1)}`);
    const right = await pushed(scene, issue, wrong.head.sha);
    expect(await world.git("diff", "--name-only", wrong.head.sha, right.head.sha)).toBe("src/sum.js");
    expect(await world.git("rev-parse", `${right.head.sha}^`)).toBe(wrong.head.sha);
    await runChecks(scene, right.head.sha);
    const proved = await world.until(
      async () => (await world.pullRequests()).find(({ number, draft }) => number === right.number && !draft),
      { what: "the pull request is ready" },
    );
    expect(proved.body).toContain(`| without the fix, ${red.head.sha.slice(0, 10)} |`);
    expect(proved.body).toContain(`with the fix, ${right.head.sha.slice(0, 10)} |`);
    expect(proved.body).toContain("The fix was red at first and was repaired since; the test is unchanged.");
    expect(proved.body).toContain("| Proof | tested: its test failed without the fix and passes with it |");
    expect(proved.body).not.toMatch(/## (?:Not tested|Not proved|Tested, and failing)/);
  });

  it("is left to a person who pushes to its branch", async () => {
    const issue = await scene.ask(title("a person"));
    const red = await pushed(scene, issue);
    await scene.world.person("alice").push(red.head.ref, { "notes.txt": "mine\n" });
    await runChecks(scene, red.head.sha);
    const now = await pushed(scene, issue, red.head.sha);
    await runChecks(scene, now.head.sha);
    const { comment, pull } = await scene.ended(issue);
    expect(comment.body).toContain("a person committed to its branch");
    expect(comment.body).toContain("Only the test of the change is in [the pull request]");
    expect(comment.body).toContain("+  return a + b;");
    expect(pull?.head.sha).toBe(now.head.sha);
    await commentWith(scene, now, "has committed to this branch");
  });
});
