import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { hasTerminals, startOnTerminal } from "./on-terminal.ts";
import { type LocalScene, startLocalScene } from "./start-local-scene.ts";
import { startMagisHere } from "./start-magis.ts";

const CTRL_C = "\u0003";

/** Its frames, spinner and time apart. */
const drawn = (text: string) => [...text.matchAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (\d+:\d\d) {2}(\$[\d.]+) {2}(\P{Cc}*)/gu)];

(hasTerminals ? describe : describe.skip)("magis resolve on a terminal", () => {
  let scene: LocalScene;
  let file: string;
  beforeAll(async () => {
    scene = await startLocalScene();
    file = await scene.issue("# Helo in src/greet.js\n");
  });
  afterAll(() => scene.close());
  const words = () => ["resolve", "--repo", scene.repo.dir, "--issue", file];
  const ofModel = () => ({ ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: scene.model.url });
  const start = () => startOnTerminal(words(), { environment: ofModel(), cwd: scene.folder });

  it("draws one line that goes on while the model is silent, and ends with the patch and the summary", async () => {
    const hold = scene.model.hold(({ promptId }) => promptId.startsWith("p09-"));
    const { until, text, ended } = start();
    await hold.reached;
    const before = text().length;
    const times = () => new Set(drawn(text().slice(before)).map(([, time]) => time));
    // The clock goes on, and the line is drawn several times a second.
    await until(() => times().size >= 3);
    expect(drawn(text().slice(before)).length).toBeGreaterThan(times().size);
    expect(drawn(text()).at(-1)?.[3]).toContain("code · Developer");
    hold.release();
    const { exitCode, text: all } = await ended;
    expect(exitCode).toBe(0);
    expect(all).toContain("plan: ");
    expect(all).not.toContain("call 1:");
    const end = all.slice(all.lastIndexOf("Cost: "));
    expect(end).toContain("+  return 'Hello ' + name;");
    expect(drawn(end)).toEqual([]);
  });

  it("says at Ctrl-C that it was cancelled", async () => {
    const hold = scene.model.hold(({ promptId }) => promptId.startsWith("p09-"));
    const { until, type, ended } = start();
    await hold.reached;
    await until((text) => text.includes("Developer"));
    type(CTRL_C);
    const { exitCode, text } = await ended;
    hold.release();
    expect(exitCode).toBe(130);
    expect(text).toMatch(/Cancelling: [\s\S]*Cancelled\.[\s\S]*Cost: /);
  });

  it.each([
    ["a line that moves", "on another terminal", {}],
    ["plain lines", "in CI", { CI: "true" }],
    ["plain lines", "on a terminal that cannot draw", { TERM: "dumb" }],
  ])("says %s %s", async (said, _, more) => {
    delete process.env.CI;
    Object.assign(process.env, { TERM: "xterm-256color" }, more);
    const given = { environment: ofModel(), cwd: scene.folder, columns: 100 };
    const { exitCode, err } = await startMagisHere(words(), given).ended;
    expect(exitCode).toBe(0);
    const isPlain = said === "plain lines";
    expect([err.includes("call 1:"), drawn(err).length === 0, !err.includes("\u001b")]).toEqual(Array(3).fill(isPlain));
  });
});
