import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LogLine } from "../bot/start-bot.ts";
import { DURABLE_FILES, durableScript, expectMadeOnce } from "./durable-script.ts";
import { type Scene, startScene } from "./start-scene.ts";

describe("trouble on GitHub", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({ repository: { files: DURABLE_FILES }, script: durableScript(), ownProcess: true });
  });
  afterAll(() => scene.close());

  const logged = (words: string, issue?: number) => {
    const isIt = ({ msg, run = "" }: LogLine) =>
      msg?.includes(words) === true && (issue === undefined || String(run).includes(`#${issue}@`));
    return scene.world.until(() => scene.bot().log.find(isIt), { what: `the log to say "${words}"` });
  };
  const comment = (issue: number, words: string) =>
    scene.world.until(async () => (await scene.comments(issue)).find(({ body }) => body.includes(words)), {
      what: `a comment on #${issue} that says "${words}"`,
    });
  /** Asks for a run and holds it during a model call. */
  async function askAndHold(title: string, prompt: string) {
    const hold = scene.model.hold(({ promptId }) => promptId === prompt);
    const issue = await scene.ask(title);
    await hold.reached;
    return { issue, hold };
  }

  it("waits while GitHub is down, across a restart, and pays for no call twice", async () => {
    const from = scene.model.journal.length;
    const { issue, hold } = await askAndHold("greet.txt has a typo (away)", "p11-review-work");
    const mend = scene.world.outage();
    hold.release();
    await logged("trying again", issue);
    await scene.bot().kill();
    await scene.startHere();
    await logged("trying again", issue);
    mend();
    await expectMadeOnce(scene, await scene.ended(issue), from, []);
  });

  it("reports the end of a run after the outage, and lets the next run go ahead", async () => {
    await scene.bot().stop();
    await scene.start({ MAGIS_OUTAGE_MINUTES: "0" });
    const { issue, hold } = await askAndHold("greet.txt has a typo (unreported)", "p04-plan-work");
    const next = await scene.ask("greet.txt has a typo (the next one)");
    const mend = scene.world.outage();
    hold.release();
    await logged("could not report the end of the run");
    await scene.bot().kill();
    const [reported] = await scene.comments(issue);
    expect(reported?.body).toContain("is working on this issue");
    mend();
    await scene.startHere();
    await comment(issue, "### MAGIS had to stop");
    expect((await scene.ended(next)).pull?.state).toBe("open");
  });

  it("spends nothing while GitHub accepts no comment", async () => {
    const { world, model } = scene;
    const from = model.journal.length;
    const message = "You have exceeded a secondary rate limit and have been temporarily blocked from content creation.";
    const refusal = { status: 403, body: { message }, headers: { "retry-after": "1" } };
    world.fault({ method: "POST", path: /\/issues\/\d+\/comments$/, ...refusal, times: 5 });
    const issue = await scene.ask("greet.txt has a typo (limited)");
    await logged("trying again", issue);
    expect(model.journal).toHaveLength(from);
    expect((await scene.ended(issue)).pull?.state).toBe("open");
  });
});
