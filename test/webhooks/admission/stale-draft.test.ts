import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { CodeHost } from "../../../src/github/code-host.ts";
import { createStaleDraftCloser } from "../../../src/webhooks/admission/stale-draft.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies, openOwnPull } from "./admitting.ts";

const OPENED = "2026-01-01T00:00:00Z";

interface Case {
  staleDays?: number;
  draft?: boolean;
  /** a person's commit on the branch */
  pushed?: boolean;
  works?: boolean;
  host?: Partial<CodeHost>;
}

/** A draft of the bot, opened on day 0, and a clock of days. The fake host dates comments on day 1. */
async function openDraft({ staleDays = 30, draft = true, pushed = false, works = false, host: changes }: Case = {}) {
  const { host, state } = createFakeHost({});
  const { number, head, branch } = await openOwnPull(host, { draft });
  if (pushed) {
    const { tree } = await host.readCommit(head);
    const mine = { tree, parents: [head], message: "Mine", author: "ana", verified: false };
    await host.advanceBranch(branch, state.objects.addCommit(mine, "mine"));
  }
  const said: { on: number; body: string }[] = [];
  const told: CodeHost = {
    ...host,
    async createComment(on, body) {
      said.push({ on, body });
      return host.createComment(on, body);
    },
    ...changes,
  };
  let day = 0;
  const { queue, ...rest } = admissionDependencies();
  const deps = {
    ...rest,
    openCodeHost: async () => told,
    readSettings: async () => ({ settings: { ...DEFAULT_SETTINGS, staleDays } }),
    queue: { ...queue, unfinished: async () => (works ? [sampleRequest()] : []) },
  };
  const close = createStaleDraftCloser(deps, () => Date.parse(OPENED) + day * 24 * 3_600_000);
  return {
    said,
    number,
    closeOn: (onDay: number, quietSince = OPENED) => {
      day = onDay;
      return close({ repository: sampleRequest().repository, number }, quietSince);
    },
    isOpen: async () => (await host.readPullRequest(number)).open,
  };
}

describe("a draft on which people are quiet", () => {
  it("is asked about once after the days of the setting", async () => {
    const { closeOn, said, number, isOpen } = await openDraft({ staleDays: 2 });
    expect(await closeOn(1.9)).toBe(false);
    expect(said).toEqual([]);
    expect(await closeOn(2.1)).toBe(false);
    expect(await closeOn(3)).toBe(false);
    expect(said).toEqual([{ on: number, body: expect.stringContaining("Is this draft still wanted?") }]);
    expect(await isOpen()).toBe(true);
  });

  it("stays for 7 days after the question, and for good once somebody has answered", async () => {
    const { closeOn, said, isOpen } = await openDraft({ staleDays: 1 });
    await closeOn(1);
    expect(await closeOn(7.9)).toBe(false);
    expect(await closeOn(60, "2026-01-04T00:00:00Z")).toBe(false);
    expect(said).toHaveLength(1);
    expect(await isOpen()).toBe(true);
  });

  it.each<[string, Case]>([
    ["the setting is 0", { staleDays: 0 }],
    ["it is ready for review", { draft: false }],
    ["a person has committed to its branch", { pushed: true }],
    ["a run works on it", { works: true }],
  ])("is left alone when %s", async (_, options) => {
    const { closeOn, said, isOpen } = await openDraft(options);
    expect(await closeOn(80)).toBe(false);
    expect(said).toEqual([]);
    expect(await isOpen()).toBe(true);
  });

  it("is closed all the same when its branch may not be deleted", async () => {
    const deleteRef = async () => {
      throw new MagisError("HOST_REFUSED", "The branch is protected.");
    };
    const { closeOn, isOpen } = await openDraft({ host: { deleteRef } });
    await closeOn(30);
    expect(await closeOn(40)).toBe(true);
    expect(await isOpen()).toBe(false);
  });

  it("tells the issue once when closing is interrupted", async () => {
    let calls = 0;
    const deleteRef = async () => {
      calls += 1;
      if (calls === 1) throw new MagisError("HOST_UNREACHABLE", "The host is away.");
    };
    const { closeOn, said, isOpen } = await openDraft({ host: { deleteRef } });
    await closeOn(30);
    await expect(closeOn(40)).rejects.toThrow("away");
    expect(await closeOn(40)).toBe(true);
    expect(said).toHaveLength(2);
    expect(await isOpen()).toBe(false);
  });
});
