import type { Command } from "../../../src/data/command.ts";
import type { Permission } from "../../../src/data/discussion.ts";
import { markers } from "../../../src/data/marks.ts";
import type { Delivery, RunRequest, Trigger } from "../../../src/data/run-request.ts";
import type { RunResult } from "../../../src/data/run-state.ts";
import { initialState } from "../../../src/data/run-state.ts";
import type { MaintainerNotes } from "../../../src/report/notes.ts";
import { takeCommand } from "../../../src/webhooks/admission/take-command.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies, commentOf, openOwnPull } from "./admitting.ts";

const TEXTS: Partial<Record<Command["verb"], string>> = { unknown: "/magis reslove" };

/** An issue whose latest run ended with `result`, or works when there is none, and what people do about it. */
export async function takingCommands({
  result,
  request = sampleRequest(),
  hasRun = true,
  unfinished = [],
  unadmitted = [],
  permission = "write",
  notes,
}: {
  notes?: MaintainerNotes;
  result?: RunResult;
  request?: RunRequest;
  hasRun?: boolean;
  unfinished?: readonly RunRequest[];
  unadmitted?: readonly Delivery[];
  permission?: Permission;
} = {}) {
  const fake = createFakeHost({});
  fake.state.permission = permission;
  const { store, keep } = createFakeStore();
  const { log, lines } = createFakeLog();
  const forbidden = new Set<string>();
  if (hasRun) {
    await keep(request);
    await (await store.openWriter(request.root)).saveState({ ...initialState(), result });
  }
  const host = {
    ...fake.host,
    permissionOf: async (login: string) => (forbidden.has(login) ? "read" : fake.state.permission),
  };
  const deps = admissionDependencies({
    store,
    notes,
    log,
    queue: {
      unfinished: async (_repository: unknown, issue: number) => unfinished.filter((one) => one.issue === issue),
      unadmitted: async () => unadmitted,
      place: async () => ({ ahead: 3 }),
    },
  });

  const take = (trigger: Trigger, changes: Partial<Delivery> = {}) =>
    takeCommand(sampleDelivery({ trigger, ...changes }), host, deps);
  /** The command as the comment 50 on the issue, or on the pull request `on`. */
  function decision(command: Command, on?: number) {
    const body = TEXTS[command.verb] ?? `/magis ${command.verb}`;
    if (!fake.state.comments.some(({ id }) => id === 50)) fake.state.comments.push(commentOf(50, body));
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
    return (await openOwnPull(fake.host, { body: `${markers.run(request.root)}\n\nFixes #7` })).number;
  }
  const answers = () => fake.state.comments.filter(({ author }) => author === host.login).map(({ body }) => body);
  const forbid = (login: string) => void forbidden.add(login);
  return { ...fake, store, keep, lines, reactions: fake.state.reactions, take, decision, openPull, answers, forbid };
}
