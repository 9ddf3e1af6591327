import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { scriptFor } from "./script-for.ts";
import { type Scene, startScene } from "./start-scene.ts";

const ENDLESS = "x".repeat(400_000);

describe("a budget that runs out while coding", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene({
      repository: { files: { "first.txt": "one\ntwo\n", "second.txt": "one\n" } },
      script: scriptFor({
        files: {
          "first.txt": { rounds: [{ edits: [{ start: 2, end: 2, text: "TWO" }] }] },
          "second.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "ONE" }] }] },
        },
        plan: (id) => `run("${id("first.txt")}"); run("${id("second.txt")}");`,
        answers: {
          "p09-change-file": ({ text }) =>
            text.includes("# The file `second.txt`") ? { text: ENDLESS, raw: true } : undefined,
        },
      }),
    });
  });
  afterAll(() => scene.close());

  it.each([
    ["money", { MAGIS_BUDGET_MONEY: "0.9" }],
    ["tokens", { MAGIS_BUDGET_TOKENS: "60000" }],
  ])("keeps the finished patch when %s runs out, and writes nothing to the repository", async (limit, environment) => {
    const { world } = scene;
    await scene.bot().stop();
    await scene.start(environment);
    const { comment, issue, pull } = await scene.ended(
      await scene.ask(`Capitals in first.txt and second.txt (${limit})`),
    );
    expect(comment.body).toContain("### MAGIS stopped: its budget is used up");
    expect(comment.body).toContain(`Its ${limit} ran out in the phase **code**.`);
    expect(comment.body).toContain("Finished:\n\n- first.txt does what the issue asks for. (`first.txt`)");
    expect(comment.body).toContain("Not finished:\n\n- Change second.txt (`second.txt`)");
    expect(comment.body).toMatch(/- \[ \] \*\*publish\*\*/);
    expect(pull).toBeUndefined();
    expect(await world.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    expect(await scene.comments(issue)).toHaveLength(1);

    const [, patch = ""] = /^```diff\n([\s\S]*?^)```$/m.exec(comment.body) ?? [];
    const folder = await world.checkout("main");
    execFileSync("git", ["apply", "-"], { cwd: folder, input: patch });
    expect(readFileSync(join(folder, "first.txt"), "utf8")).toBe("one\nTWO\n");
  });
});
