import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { CodeHost, HostComment } from "../../../src/github/code-host.ts";
import type { AdmissionDependencies } from "../../../src/webhooks/admission/dependencies.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";

/** What admission is handed, by the product's defaults: nothing is queued or kept, and GitHub is away. */
export function admissionDependencies(changes: Partial<AdmissionDependencies> = {}): AdmissionDependencies {
  const { label, allowedBots, skipLabels } = DEFAULT_SETTINGS;
  return {
    async openCodeHost() {
      throw new Error("GitHub is away");
    },
    readSettings: async () => ({ settings: DEFAULT_SETTINGS }),
    store: createFakeStore().store,
    queue: {
      unfinished: async () => [],
      place: async () => ({ ahead: 0 }),
      unadmitted: async () => [],
    },
    log: createFakeLog().log,
    label,
    allowedBots,
    skipLabels,
    budget: { money: 5, tokens: 1000, minutes: 30 },
    ...changes,
  };
}

/** A comment by the person of the sample delivery. */
export function commentOf(id: number, body: string, changes: Partial<HostComment> = {}): HostComment {
  const time = "2026-01-03T00:00:00Z";
  return { id, nodeId: `node-${id}`, author: "ben", byBot: false, body, createdAt: time, updatedAt: time, ...changes };
}

/** Opens a pull request of the bot for the sample issue, with one commit. */
export async function openOwnPull(
  host: CodeHost,
  { branch = "magis/issue-7-fix", base = "main", body = "", draft = false } = {},
) {
  const { commit } = await host.defaultBranch();
  const { tree } = await host.readCommit(commit);
  const { id } = await host.createCommit("fix: it", tree, [commit]);
  await host.createBranch(branch, id);
  return host.openPullRequest({ title: "fix: it", body, branch, base, draft });
}
