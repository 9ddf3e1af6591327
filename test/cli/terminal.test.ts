import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { hasTerminals, startOnTerminal } from "./on-terminal.ts";
import { type LocalScene, startLocalScene } from "./start-local-scene.ts";

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
  const start = (more: Readonly<Record<string, string>> = {}) => {
    const environment = { ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: scene.model.url, ...more };
    return startOnTerminal(["resolve", "--repo", scene.repo.dir, "--issue", file], { environment, cwd: scene.folder });
  };

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

  it("says plain lines in CI and on a terminal that cannot draw", async () => {
    for (const plain of [{ CI: "true" }, { TERM: "dumb" }]) {
      const { exitCode, text } = await start(plain).ended;
      expect(exitCode).toBe(0);
      expect(text).toContain("call 1:");
      expect(drawn(text)).toEqual([]);
      expect(text).not.toContain("\u001b");
    }
  });
});
