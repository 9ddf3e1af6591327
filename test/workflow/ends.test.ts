import { describe, expect, it } from "@jest/globals";
import { MagisError, type MagisErrorCode } from "../../src/data/error.ts";
import type { RunRequest } from "../../src/data/run-request.ts";
import type { StopReason, UnreportedEnd } from "../../src/data/run-state.ts";
import type { Step } from "../../src/run/runs.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { revising } from "../follow-up/revise/revising.ts";
import { until } from "../queue/in-process.ts";
import { atOnce, handlersOn, noWait, resolving } from "./resolving.ts";

/** The handlers that the engine calls, on fakes. `before` runs as the named step begins. */
async function performing(before: Readonly<Record<string, () => void>> = {}, script: FakeScript = {}) {
  const run = await resolving(script);
  const later: UnreportedEnd[] = [];
  const steps: string[] = [];
  const step: Step = (name, body) => {
    steps.push(name);
    before[name]?.();
    return atOnce(name, body);
  };
  const request = sampleRequest();
  await run.keep(request);
  return {
    ...run,
    later,
    steps,
    request,
    perform: () => run.handlers.resolve(request, step, async (end) => void later.push(end), noWait),
  };
}

const error = (code: MagisErrorCode, status?: number) =>
  new MagisError(code, "GitHub does not.", status === undefined ? {} : { status });

describe("work of a kind that only an earlier version did", () => {
  it("ends with a sentence on the pull request, and calls no model", async () => {
    const run = await revising();
    const request = { ...run.request, work: { kind: "paint", colour: "red" } as unknown as RunRequest["work"] };
    await run.keep(request);
    const result = await handlersOn(run.deps).resolve(request, atOnce, noWait, noWait);
    expect(result).toMatchObject({ kind: "refused", reason: expect.stringContaining("no longer does") });
    expect(run.state.comments.at(-1)?.body).toContain("This version of MAGIS no longer does what was asked for.");
    expect(run.asked()).toEqual([]);
  });
});

describe("an issue that disappears while a run works on it", () => {
  type Scene = Awaited<ReturnType<typeof performing>>;
  const change = (issue: object) => (scene: Scene) => {
    scene.state.issue = { ...scene.state.issue, ...issue };
  };
  const gone = (status: number) => (scene: Scene) => scene.faults.refuse("readIssue", error("HOST_NOT_FOUND", status));

  it.each<[StopReason, (scene: Scene) => void]>([
    ["closed", change({ open: false })],
    ["locked", change({ locked: true })],
    ["transferred", change({ number: 3 })],
    ["transferred", gone(404)],
    ["deleted", gone(410)],
  ])("(%s) ends the run before its next phase, without a webhook", async (because, happen) => {
    for (const phase of ["plan", "code", "publish"]) {
      const scene: Scene = await performing({ [phase]: () => happen(scene) });
      const result = await scene.perform();
      expect(result).toEqual({ kind: "cancelled", by: "", undone: [], because });
      expect(scene.steps.slice(-2)).toEqual([phase, "end"]);
      expect(scene.asked().includes(phase === "plan" ? "p04-plan-work" : "p09-change-file")).toBe(phase === "publish");
      expect(scene.comment()).toContain(`### MAGIS stopped: the issue was ${because}`);
      expect(scene.comment()).toContain(
        `The issue was ${because} in the meantime. Nothing was written to the repository.`,
      );
      expect(scene.state.pullRequests).toEqual([]);
      expect([...scene.state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
    }
  });

  it("is told from a repository that the bot can no longer see", async () => {
    const scene: Scene = await performing({
      code: () => {
        scene.faults.refuse("readIssue", error("HOST_NOT_FOUND", 404));
        scene.faults.refuse("defaultBranch", error("HOST_NOT_FOUND", 404));
      },
    });
    expect(await scene.perform()).toEqual({ kind: "cancelled", by: "", undone: [], because: "shut-out" });
    expect(scene.asked()).not.toContain("p09-change-file");
    expect(scene.later).toEqual([]);
  });

  it.each<[MagisErrorCode, number]>([
    ["HOST_NOT_FOUND", 404],
    ["HOST_REFUSED", 401],
  ])(
    "ends the run in the middle of a phase when its comment is refused by %s, and pays for no more",
    async (code, status) => {
      const scene: Scene = await performing(
        {},
        {
          "p04-plan-work": async () => {
            const asked = scene.faults.count("defaultBranch");
            for (const verb of ["updateComment", "createComment", "listComments", "defaultBranch"])
              scene.faults.refuse(verb, error(code, status));
            await until(() => scene.faults.count("defaultBranch") > asked, "the repository to be asked for");
            return undefined;
          },
        },
      );
      expect(await scene.perform()).toEqual({ kind: "cancelled", by: "", undone: [], because: "shut-out" });
      expect(scene.asked().at(-1)).toBe("p04-plan-work");
      expect(scene.later).toEqual([]);
    },
  );

  it.each<StopReason>(["transferred", "deleted"])(
    "(%s) is no fault when there is nowhere left to report it",
    async (why) => {
      const { handlers, request, faults, store } = await performing();
      faults.refuse("createComment", error("HOST_NOT_FOUND", 404));
      await handlers.cancelled(request, "ana", why);
      expect((await store.state(request.root))?.result).toMatchObject({ kind: "cancelled", because: why });
    },
  );

  it("leaves a pull request alone that is merged, whether that closed the issue or the run is told to stop", async () => {
    const { handlers, request, perform, state, comment } = await performing();
    await perform();
    const [pull] = state.pullRequests;
    if (pull) state.pullRequests[0] = { ...pull, merged: true, open: false };
    await handlers.cancelled(request, "ana", "closed");
    expect(comment()).toContain("### MAGIS opened pull request #");
    const left = { ...state.pullRequests[0] };
    await handlers.cancelled(request, "ana");
    expect(comment()).toContain("### MAGIS was told to stop");
    expect(state.pullRequests).toEqual([left]);
    expect(state.objects.refs.has(`refs/heads/${left.branch}`)).toBe(true);
  });
});

describe("the end of a run that cannot be reported", () => {
  it.each<MagisErrorCode>(["HOST_UNREACHABLE", "HOST_REFUSED", "HOST_NOT_FOUND"])(
    "(%s) is passed on and reported later",
    async (code) => {
      const scene = await performing({ end: () => scene.faults.refuse("updateComment", error(code), 1) });
      const result = await scene.perform();
      expect(result.kind).toBe("published");
      if (code === "HOST_NOT_FOUND") return expect(scene.comment()).toContain("MAGIS opened pull request #");
      expect(scene.comment()).toContain("MAGIS is working on this issue");
      expect(scene.later).toEqual([{ kind: "ended", result, about: undefined }]);
      const calls = scene.asked().length;
      for (const end of scene.later) await scene.handlers.report(scene.request, end);
      expect(scene.comment()).toContain("MAGIS opened pull request #");
      expect(scene.asked()).toHaveLength(calls);
    },
  );

  it("is reported even when the host could not be opened", async () => {
    const scene = await performing();
    let away = true;
    const openCodeHost = async () => {
      if (away) throw error("HOST_UNREACHABLE");
      return scene.host;
    };
    const handlers = handlersOn({ ...scene.deps, openCodeHost });
    const result = await handlers.resolve(scene.request, atOnce, async (end) => void scene.later.push(end), noWait);
    expect(result).toMatchObject({ kind: "failed", code: "HOST_UNREACHABLE" });
    away = false;
    for (const end of scene.later) await handlers.report(scene.request, end);
    expect(scene.comment()).toContain("### MAGIS had to stop");
  });

  it("does not overwrite the report of a run that continues it", async () => {
    const scene = await performing({ end: () => scene.faults.refuse("updateComment", error("HOST_UNREACHABLE"), 1) });
    await scene.perform();
    await scene.keep(sampleRequest({ id: "ana/shop#7@retry", root: scene.request.id, delivery: "retry" }));
    for (const end of scene.later) await scene.handlers.report(scene.request, end);
    expect(scene.comment()).toContain("MAGIS is working on this issue");
  });
});

describe("a tracking comment that a person deleted", () => {
  const remove = (scene: Awaited<ReturnType<typeof performing>>) => void scene.state.comments.splice(0);

  it("is not posted a third time, even after a restart", async () => {
    const scene = await performing({ plan: () => remove(scene) });
    expect(await scene.perform()).toMatchObject({ kind: "published" });
    remove(scene);
    await scene.handlers.cancelled(scene.request, "ana");
    expect(scene.state.comments).toEqual([]);
    expect(scene.later).toEqual([]);
    expect(scene.faults.count("createComment")).toBe(2);
  });

  it("is found again when it was posted but not stored", async () => {
    const scene = await performing();
    await scene.handlers.cancelled(scene.request, "ana");
    const before = await scene.store.state(scene.request.root);
    remove(scene);
    await scene.handlers.cancelled(scene.request, "ana");
    if (before) await (await scene.store.openWriter(scene.request.root)).saveState(before);
    await scene.handlers.cancelled(scene.request, "ana");
    expect(scene.state.comments).toHaveLength(1);
    expect(scene.faults.count("createComment")).toBe(2);
  });
});
