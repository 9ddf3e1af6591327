import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const capital = (text: string) => ({ rounds: [{ edits: [{ start: 1, end: 1, text }] }] });
const answers = createScript({ files: { "a.txt": capital("A"), "b.txt": capital("B"), "c.txt": capital("C") } });

describe("limits beyond one run", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({
      repository: { files: { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" } },
      script: answers,
    });
  });
  afterAll(() => scene.close());

  const saying = (issue: number, words: string) =>
    scene.world.until(async () => (await scene.comments(issue)).find(({ body }) => body.includes(words)), {
      what: words,
    });
  const restart = async (environment: Readonly<Record<string, string>>) => {
    await scene.bot().stop();
    await scene.startHere(environment);
  };

  it("refuse a new run with until when, and leave a plan that waits for approval as it was", async () => {
    const alice = scene.world.person("alice");
    const planned = await alice.openIssue({ title: "A capital in a.txt" });
    await alice.comment(planned, "/magis plan");
    const plan = await saying(planned, "waits for your approval");
    // What the plan has cost leaves no room for a run that may cost as much as the day.
    await restart({ MAGIS_BUDGET_MONEY: "5", MAGIS_BUDGET_DAY: "5" });
    const calls = scene.model.journal.length;
    const { comment } = await scene.ended(await scene.ask("A capital in b.txt"));
    expect(comment.body).toContain("### MAGIS did not start\n\nWhat is left of my budget for today does not cover");
    expect(comment.body).toMatch(/I can start again on \d{4}-\d\d-\d\d at 00:00 UTC/);
    expect(comment.body).not.toContain("$5");
    expect(scene.model.journal).toHaveLength(calls);

    await restart({ MAGIS_BUDGET_MONEY: "5", MAGIS_BUDGET_DAY: "4" });
    await alice.comment(planned, "/magis approve");
    await saying(planned, "I did not go on. A run may cost more than all of my budget for today.");
    const body = async () => (await scene.comments(planned)).find(({ id }) => id === plan.id)?.body;
    expect(await body()).toBe(plan.body);

    // The plan still counts as the latest run: what the paid calls cost is within the run's budget.
    await restart({ MAGIS_BUDGET_MONEY: "5", MAGIS_BUDGET_DAY: "5" });
    await alice.comment(planned, "/magis approve");
    await saying(planned, "### MAGIS opened");
    // The run refused before may have been stopped before its end was kept: then it says so once more.
    const keeps = scene.bot().log.filter(({ msg }) => msg === "a limit keeps the run from beginning");
    expect(keeps.filter(({ limit }) => (limit as { most: number }).most === 5)).toEqual([]);
  });

  it("refuse a run while too many pull requests are open in the repository, until one is closed", async () => {
    await restart({ MAGIS_OPEN_PULL_REQUESTS: "1" });
    const issue = await scene.ask("A capital in c.txt");
    const { comment } = await scene.ended(issue);
    expect(comment.body).toContain("I have one open pull request in this repository, and my limit is 1.");
    const [pull] = await scene.world.pullRequests();
    await scene.world.person("alice").closePull(pull?.number ?? 0);
    const noted = () => scene.bot().log.some(({ msg, trigger }) => msg === "delivery recorded" && trigger === "gone");
    await scene.world.until(noted, { what: "the end of the pull request" });
    await scene.world.person("alice").comment(issue, "/magis resolve");
    await saying(issue, "### MAGIS opened");
  });
});
