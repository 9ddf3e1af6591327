import { describe, expect, it } from "@jest/globals";
import { MagisError, type MagisErrorCode } from "../../src/data/error.ts";
import type { Delivery } from "../../src/data/run-request.ts";
import type { UnreportedEnd } from "../../src/data/run-state.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, statuses, until } from "./in-process.ts";

const { start, stop, reopen, ended } = engineHarness();

describe("a repository that the app can no longer see", () => {
  it.each([
    ["with its installation", { installationId: 7 }, ["Owner/repo#1@d1", "Owner/repo#2@d2", "Owner/else#4@d4"]],
    ["alone", { installationId: 7, owner: "owner", name: "Repo" }, ["Owner/repo#1@d1", "Owner/repo#2@d2"]],
    [
      "under a new name",
      { installationId: 7, owner: "New", name: "name", id: 5 },
      ["Owner/repo#1@d1", "Owner/repo#2@d2"],
    ],
    ["when another one takes its name", "taken", ["Owner/repo#1@d1", "Owner/repo#2@d2"]],
  ] as const)("has its runs ended at once, %s, and no other's", async (_, scope, expected) => {
    const begun: string[] = [];
    const aborted: string[] = [];
    const reported: unknown[] = [];
    const running = await start(
      {
        resolve: async (request, step) => {
          await step("work", ({ signal }) => {
            begun.push(request.id);
            return new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => {
                aborted.push(request.id);
                reject(new MagisError("RUN_CANCELLED", "It was cancelled."));
              });
            });
          });
          return DONE;
        },
        report: async (request, end) => void reported.push([request.id, end]),
      },
      { concurrency: 3 },
    );
    const foreign = { ...delivery("d3", 3, "other"), repository: { owner: "A", name: "b", installationId: 8 } };
    const numbered = (id: string, issue: number, number: number): Delivery => {
      const one = delivery(id, issue);
      return { ...one, repository: { ...one.repository, id: number } };
    };
    for (const one of [numbered("d1", 1, 5), numbered("d2", 2, 5), foreign, delivery("d4", 4, "else")])
      await running.engine.receive(one);
    await until(() => begun.length === 3, "three runs to begin");
    if (scope === "taken") await running.engine.receive(numbered("d5", 1, 6));
    else await running.engine.withdraw(scope);
    await until(() => reported.length === expected.length, "the ends to be kept");
    expect(aborted).not.toContain("A/b#3@d3");
    expect(aborted).toContain("Owner/repo#1@d1");
    const end = { kind: "cancelled", by: "", because: "shut-out" };
    expect(reported).toEqual(expect.arrayContaining(expected.map((id) => [id, end])));
    expect(begun).not.toContain("Owner/repo#2@d2");
  });
});

describe("deliveries of a repository that the app can no longer see", () => {
  it("are ended while they are being admitted, so that they queue no run", async () => {
    const { engine, database } = await start({ admit: () => new Promise(() => undefined) });
    await engine.receive(delivery("d1", 1));
    await until(async () => (await statuses(database)).d1 === "PENDING", "the admission");
    await engine.withdraw({ installationId: 7 });
    expect(await statuses(database)).toEqual({ d1: "CANCELLED" });
  });
});

describe("an end that could not be reported", () => {
  const unreported: UnreportedEnd = { kind: "ended", result: DONE, about: { line: "kept" } };

  it.each<MagisErrorCode>(["HOST_UNREACHABLE", "HOST_REFUSED", "HOST_NOT_FOUND"])(
    "is reported after %s, once, while other runs of the repository go on",
    async (code) => {
      const reported: unknown[] = [];
      let away = true;
      let tries = 0;
      const running = await start({
        async resolve({ issue }, _step, reportLater) {
          if (issue === 1) await reportLater(unreported);
          return DONE;
        },
        async report(request, end) {
          tries++;
          if (away) throw new MagisError(code, "Not now.");
          reported.push([request.id, end]);
        },
      });
      await running.engine.receive(delivery("d1", 1));
      await until(() => tries > 0, "the first try");
      await running.engine.receive(delivery("d2", 2));
      await ended(running, "Owner/repo#2@d2");
      await ended(running, "Owner/repo#1@d1");
      expect(reported).toEqual([]);
      away = false;
      await ended(running, "report:Owner/repo#1@d1");
      expect(reported).toEqual([["Owner/repo#1@d1", unreported]]);
    },
  );

  it("is reported by the next process", async () => {
    const away = await start({
      resolve: async (_request, _step, reportLater) => reportLater(unreported).then(() => DONE),
      report: async () => {
        throw new MagisError("HOST_UNREACHABLE", "Not now.");
      },
    });
    await away.engine.receive(delivery("d1", 1));
    await ended(away, "Owner/repo#1@d1");
    await stop(away);
    await reopen();
    const reported: UnreportedEnd[] = [];
    const back = await start({ report: async (_request, end) => void reported.push(end) });
    await ended(back, "report:Owner/repo#1@d1");
    expect(reported).toEqual([unreported]);
  });

  it("may be a cancelled run's, and is reported later", async () => {
    const reported: unknown[] = [];
    let away = true;
    const running = await start({
      resolve: async ({ issue }, step) => {
        await step("long", ({ signal }) =>
          issue === 1 ? new Promise((resolve) => signal.addEventListener("abort", resolve)) : Promise.resolve(),
        );
        return DONE;
      },
      cancelled: async () => {
        throw new MagisError("HOST_UNREACHABLE", "Not now.");
      },
      report: async (request, end) => {
        if (away) throw new MagisError("HOST_UNREACHABLE", "Not now.");
        reported.push([request.id, end]);
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await running.engine.receive({ ...delivery("d2", 1), trigger: { kind: "unlabel", label: "magis" } });
    await ended(running, "d2");
    await ended(running, "Owner/repo#1@d1", "CANCELLED");
    away = false;
    await ended(running, "report:Owner/repo#1@d1");
    expect(reported).toEqual([["Owner/repo#1@d1", { kind: "cancelled", by: "maintainer" }]]);
  });
});
