import { describe, expect, it } from "@jest/globals";
import type { RunRequest } from "../../src/data/run-request.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { PAPER } from "../fakes/sample-settings.ts";
import { resolving } from "./resolving.ts";

const GATED = { kind: "resolve", gate: "plan" } as const;
const root = sampleRequest().id;
const next = (number: number, changes: Partial<RunRequest>): Partial<RunRequest> => ({
  id: `ana/shop#7@delivery-${number}`,
  root,
  delivery: `delivery-${number}`,
  trigger: { kind: "other-command", commentId: number, command: { verb: "approve", hint: "" }, on: "issue" },
  ...changes,
});

describe("a run that stops at its plan", () => {
  it("shows the plan with its cost, and writes nothing to the repository", async () => {
    const run = await resolving({});
    const result = await run.resolve({ work: GATED });
    expect(result).toMatchObject({
      kind: "awaiting-approval",
      plan: { tasks: [{ id: "t1", path: "a.txt" }], base: run.base, estimate: { tasks: 1, calls: [1, 3] } },
    });
    expect(run.steps).toEqual(["start", "locate", "plan", "propose", "end"]);
    expect(run.comment()).toContain("MAGIS has a plan and waits for your approval");
    expect(run.comment()).toContain("| t1 | `a.txt` | modify |");
    expect([...run.state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
    expect(run.asked()).not.toContain("p09-change-file");
  });

  it("estimates by the calls of the tier that carries out the plan, not of the one that chose files", async () => {
    const planned = await resolving({});
    await planned.resolve({ work: GATED });
    const [custodian, manager] = await planned.store.calls(root);
    if (!custodian || !manager) throw new Error("Two calls are made before the plan is shown.");
    const run = await resolving({});
    await run.store.recordCall(root, { ...custodian, key: "an earlier one", money: manager.money * 9 });
    const result = await run.resolve({ work: GATED });
    expect(result).toMatchObject({ plan: { estimate: { perCall: manager.money } } });
  });

  it("goes on after approval without asking anything again", async () => {
    const run = await resolving({}, { settings: PAPER });
    await run.resolve({ work: GATED });
    const planned = run.asked();
    expect(await run.resolve(next(2, {}))).toMatchObject({ kind: "published" });
    expect(run.asked().slice(0, planned.length)).toEqual(planned);
    expect(run.asked().slice(planned.length)[0]).toBe("p08-describe-qa-engineer");
    expect(run.state.comments).toHaveLength(1);
  });

  it("plans again with a new hint, and stops again", async () => {
    const run = await resolving({});
    await run.resolve({ work: GATED });
    const planned = run.asked().length;
    const result = await run.resolve(next(2, { work: GATED, hint: "Mind the halves." }));
    expect(result).toMatchObject({ kind: "awaiting-approval" });
    expect(run.asked().slice(planned)).toContain("p04-plan-work");
    expect(run.parts.start).toMatchObject({ issue: { hint: "Mind the halves." } });
  });

  it("does not carry out a plan that differs from the approved one", async () => {
    const run = await resolving({});
    await run.resolve({ work: GATED });
    const { plan } = run.parts;
    if (plan === undefined) throw new Error("no plan was kept");
    await (await run.store.openWriter(root)).saveRecord("plan", {
      ...plan,
      tasks: plan.tasks.map((task) => ({ ...task, title: "Else" })),
    });
    expect(await run.resolve(next(2, {}))).toMatchObject({
      kind: "awaiting-approval",
      renewed: "The approved plan could not be found again, and this one differs from it.",
    });
    expect(await run.resolve(next(3, {}))).toMatchObject({ kind: "published" });
  });
});
