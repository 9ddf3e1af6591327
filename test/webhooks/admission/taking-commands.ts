import type { Command } from "../../../src/data/command.ts";
import type { Permission } from "../../../src/data/discussion.ts";
import { markers } from "../../../src/data/marks.ts";
import type { Delivery, RunRequest, Trigger } from "../../../src/data/run-request.ts";
import type { RunResult } from "../../../src/data/run-state.ts";
import { initialState } from "../../../src/data/run-state.ts";
import type { MaintainerNotes } from "../../../src/report/notes.ts";
import type { AdmissionDependencies } from "../../../src/webhooks/admission/dependencies.ts";
import { takeCommand } from "../../../src/webhooks/admission/take-command.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";

const TEXTS: Partial<Record<Command["verb"], string>> = { unknown: "/magis reslove" };

/** An issue whose latest run ended with `result`, or works when there is none, and a host that counts reactions. */
export async function takingCommands({
  result,
  request = sampleRequest(),
  hasRun = true,
  unfinished = [],
  unadmitted = [],
  permission = "write",
  notes,
}: {
  readonly notes?: MaintainerNotes;
  readonly result?: RunResult;
  readonly request?: RunRequest;
  readonly hasRun?: boolean;
  readonly unfinished?: readonly RunRequest[];
  readonly unadmitted?: readonly Delivery[];
  readonly permission?: Permission;
} = {}) {
  const fake = createFakeHost({ "a.txt": "a\n" });
  const { store, keep } = createFakeStore();
  const { log, lines } = createFakeLog();
  const reactions: string[] = [];
  const forbidden = new Set<string>();
  if (hasRun) {
    await keep(request);
    await (await store.openWriter(request.root)).saveState({ ...initialState(), result });
  }
  const host = {
    ...fake.host,
    permissionOf: async (login: string) => (forbidden.has(login) ? "read" : permission),
    async react(_target: unknown, reaction: string) {
      reactions.push(reaction);
    },
  };
  const deps = {
    store,
    notes,
    log,
    allowedBots: [],
    budget: { money: 5, tokens: 1000, minutes: 30 },
    queue: {
      unfinished: async (_repository: unknown, issue: number) => unfinished.filter((one) => one.issue === issue),
      unadmitted: async () => unadmitted,
      place: async () => ({ ahead: 3 }),
    },
    label: "magis",
  } as unknown as AdmissionDependencies;

  function take(trigger: Trigger, changes: Partial<Delivery> = {}) {
    const delivery: Delivery = {
      id: "delivery-2",
      repository: request.repository,
      issue: 7,
      actor: "ben",
      actorIsBot: false,
      trigger,
      at: "2026-01-03T00:00:00Z",
      ...changes,
    };
    return takeCommand(delivery, host, deps);
  }
  /** The command as the comment 50 on the issue, or on the pull request `on`. */
  function decision(command: Command, on?: number) {
    const body = TEXTS[command.verb] ?? `/magis ${command.verb}`;
    const times = { createdAt: "2026-01-03T00:00:00Z", updatedAt: "2026-01-03T00:00:00Z" };
    if (!fake.state.comments.some(({ id }) => id === 50))
      fake.state.comments.push({ id: 50, nodeId: "n", author: "ben", byBot: false, body, ...times });
    const trigger: Trigger = {
      kind: "other-command",
      commentId: 50,
      command,
      on: on === undefined ? "issue" : "pull request",
    };
    return take(trigger, on === undefined ? {} : { issue: on });
  }
  /** Opens the bot's pull request for the issue; gives its number. */
  async function openPull() {
    const { state, base } = fake;
    state.objects.refs.set("refs/heads/magis/issue-7-x", base.commit);
    const content = { title: "t", body: `${markers.run(request.root)}\n\nFixes #7`, branch: "magis/issue-7-x" };
    return (await fake.host.openPullRequest({ ...content, base: "main", draft: false })).number;
  }
  const answers = () => fake.state.comments.filter(({ author }) => author === host.login).map(({ body }) => body);
  const forbid = (login: string) => void forbidden.add(login);
  return { ...fake, store, keep, lines, reactions, take, decision, openPull, answers, forbid };
}
