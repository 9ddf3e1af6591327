import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Call } from "../scripted-model/script.ts";
import { DURABLE_FILES, durableScript, expectPublishedOnce, madeAgain } from "./durable-script.ts";
import { type Scene, startScene } from "./start-scene.ts";

/** One repository per run, so that one process works on all of them at once. */
const RUNS = ["locate", "plan", "code", "tools", "push", "pull"] as const;
type Run = (typeof RUNS)[number];

const LOOKS_AROUND = "tools (look around)";
const titleOf = (run: Run) => `greet.txt has a typo (${run === "tools" ? LOOKS_AROUND : run})`;

/** The model calls during which the process is killed. */
const HELD = {
  locate: ({ promptId }) => promptId === "c02-locate-files",
  plan: ({ promptId }) => promptId === "p04-plan-work",
  code: ({ promptId }) => promptId === "p11-review-work",
  tools: ({ promptId, looked }) => promptId === "p09-change-file" && looked.length > 0,
} satisfies Partial<Record<Run, (call: Call) => boolean>>;

/** The writes after which the process is killed; the suites `every-crash` take every other write. */
const WRITTEN = {
  push: /^\/acme\/push(?:\.git)?\/git-receive-pack$/,
  pull: /^\/repos\/acme\/pull\/pulls$/,
} satisfies Partial<Record<Run, RegExp>>;

describe("a process killed during six runs", () => {
  let scene: Scene;
  const issues = new Map<Run, number>();

  beforeAll(async () => {
    scene = await startScene({
      repository: { files: DURABLE_FILES },
      more: RUNS.map((name) => ({ name })),
      script: durableScript(),
      ownProcess: true,
      environment: { MAGIS_CONCURRENCY: String(RUNS.length) },
    });
    const { model, world } = scene;
    const holds = [
      ...(Object.keys(HELD) as (keyof typeof HELD)[]).map((run) =>
        model.hold((call) => call.text.includes(titleOf(run)) && HELD[run](call)),
      ),
      ...Object.values(WRITTEN).map((path) => world.hold({ method: "POST", path, when: "after" })),
    ];
    for (const run of RUNS) issues.set(run, await scene.ask(titleOf(run), undefined, `acme/${run}`));
    for (const { reached } of holds) await reached;
    await scene.bot().kill();
    for (const hold of holds) hold.release();
    await scene.startHere();
  });
  afterAll(() => scene.close());

  const endOf = (run: Run) => scene.ended(issues.get(run) ?? 0, `acme/${run}`);

  it.each(["locate", "plan", "code"] as const)("resumes from a model call in %s at the next start", async (run) =>
    expectPublishedOnce(scene, await endOf(run), run),
  );

  it("resumes a conversation with tools where it stopped", async () => {
    await expectPublishedOnce(scene, await endOf("tools"), "tools");
    const seen = (prompt: string) =>
      scene
        .calls(prompt)
        .filter(({ call }) => call?.text.includes(LOOKS_AROUND))
        .map(({ call }) => call?.looked.map(({ name, result }) => `${name}: ${result}`));
    expect(seen("p04-plan-work")).toEqual([
      [],
      [
        expect.stringMatching(/^search: [\s\S]*Above already: greet\.txt:1/),
        expect.stringMatching(/^read: [\s\S]*helo\n/),
      ],
    ]);
    expect(seen("p09-change-file")[1]).toEqual([expect.stringMatching(/^read: [\s\S]*helo\n/)]);
    // QA looks in the repository with the change applied, whose lines its prompt shows.
    expect(seen("p11-review-work")[1]).toEqual([
      expect.stringMatching(/^search: 1 line [\s\S]*Above already: greet\.txt:1/),
    ]);
  });

  it.each(["push", "pull"] as const)(
    "makes nothing twice when it is killed between the %s and GitHub's answer",
    async (run) => expectPublishedOnce(scene, await endOf(run), run),
  );

  it("pays twice only for calls that were cut off, in conversations with tools too", async () => {
    for (const run of RUNS) await endOf(run);
    const cutOff = ["c02-locate-files", "p04-plan-work", "p11-review-work", "p09-change-file"];
    expect(madeAgain(scene, 0).toSorted()).toEqual(cutOff.toSorted());
  });

  it("leaves nothing to do at a further start", async () => {
    const from = scene.model.journal.length;
    await scene.bot().stop();
    const bot = await scene.startHere();
    expect((await fetch(`${bot.url}/readyz`)).status).toBe(200);
    expect(scene.model.journal).toHaveLength(from);
  });
});
