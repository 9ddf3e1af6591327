import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

describe("the paper's profile", () => {
  let scene: Scene;
  const upper = (text: string) => ({ rounds: [{ edits: [{ start: 1, end: 1, text }] }] });

  beforeAll(async () => {
    scene = await startScene({
      repository: {
        files: {
          "a.txt": "a\n",
          "b.txt": "b\n",
          "c.txt": "c\n",
          "whole.txt": "whole\n",
          "plain.txt": "plain\n",
        },
      },
      environment: { MAGIS_PROFILE: "paper" },
      script: createScript({
        files: {
          "a.txt": upper("A"),
          "b.txt": upper("B"),
          "c.txt": upper("C"),
          "whole.txt": {
            rounds: [
              { edits: [{ start: 1, end: 1, text: "Whole" }], comments: [{ line: 1, body: "It is WHOLE." }] },
              { edits: [{ start: 1, end: 1, text: "WHOLE" }] },
            ],
          },
          "plain.txt": upper("PLAIN"),
        },
        answers: {
          "p07-write-plan": ({ text }) =>
            text.includes("`c.txt`") ? 'concurrently(run("t1"), run("t2"));\nrun("t3");' : undefined,
        },
      }),
    });
  });
  afterAll(() => scene.close());

  const aboutFile = (path: string) => (text: string | undefined) => text?.includes(`# The file \`${path}\``) === true;
  const located = (path: string) => scene.calls("p09-locate-lines").filter(({ call }) => aboutFile(path)(call?.text));

  it("runs independent tasks concurrently, then the dependent one with their changes in its prompt", async () => {
    const { world, model } = scene;
    const hold = model.hold(({ promptId, text }) => promptId === "p09-locate-lines" && !aboutFile("c.txt")(text));
    const issue = await scene.ask("Capitals in a.txt, b.txt and c.txt");
    await world.until(() => located("a.txt").length === 1 && located("b.txt").length === 1, {
      what: "both concurrent tasks under way",
    });
    expect([...located("a.txt"), ...located("b.txt")].map(({ response }) => response.writableEnded)).toEqual([
      false,
      false,
    ]);
    expect(located("c.txt")).toHaveLength(0);
    hold.release();

    const { pull } = await scene.ended(issue);
    const order = model.journal.map(({ call }) => call);
    const first = order.findIndex(
      (call) => call?.promptId === "p08-describe-qa-engineer" && aboutFile("c.txt")(call.text),
    );
    const reviews = order.flatMap((call, at) => (call?.promptId === "p11-review-change" ? [at] : []));
    expect(reviews.filter((at) => at < first)).toHaveLength(2);
    const dependent = located("c.txt")[0]?.call?.text;
    expect(dependent).toContain("Changes that colleagues have already made:");
    expect(dependent).toMatch(/^\+A$/m);
    expect(dependent).toMatch(/^\+B$/m);
    expect(located("b.txt")[0]?.call?.text).not.toMatch(/^\+A$/m);
    expect((await world.diff(pull?.number ?? 0)).match(/^[+-]\w.*$/gm)).toEqual(["-a", "+A", "-b", "+B", "-c", "+C"]);
    expect(pull?.body).toContain("Order: `a.txt` and `b.txt` side by side, then `c.txt`.");
    expect(scene.calls("m02-speak-in-meeting")).toHaveLength(3);
  });

  it("resolves an issue from label to reviewed pull request with exactly the paper's calls", async () => {
    const { world, model } = scene;
    const from = model.journal.length;
    const { pull, comment } = await scene.ended(await scene.ask("Capitals in whole.txt and plain.txt"));
    const number = pull?.number ?? 0;
    expect(pull).toMatchObject({ state: "open", draft: true });
    expect((await world.diff(number)).match(/^[+-]\w.*$/gm)).toEqual(["-plain", "+PLAIN", "-whole", "+WHOLE"]);
    expect(world.threads(number)).toMatchObject([{ path: "whole.txt", resolved: true }]);
    expect(world.reviews(number).filter(({ body }) => body.includes("magis:review"))).toHaveLength(1);
    expect(comment.body).toContain(`### MAGIS opened pull request #${number}`);
    const asked = new Set(model.journal.slice(from).map(({ call }) => call?.promptId));
    const paper = ["p02-summarise-file", "p03-judge-relevance", "p04-define-task", "p05-describe-developer"];
    const meeting = ["m01-open-meeting", "m02-speak-in-meeting", "m03-close-meeting", "p06-adjust-role"];
    const coding = ["p07-write-plan", "p08-describe-qa-engineer", "p09-locate-lines", "p10-write-code"];
    const end = ["p11-review-change", "d01-describe-change"];
    expect([...asked].sort()).toEqual([...paper, ...meeting, ...coding, ...end].sort());
  });
});
