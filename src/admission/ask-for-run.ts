import { isHostRefusal } from "../model/error.ts";
import {
  type Delivery,
  optionsOf,
  type Receipt,
  type RepositoryId,
  runId,
  triggerOfRequest,
} from "../model/run-request.ts";
import type { CodeHost, HostIssue } from "../ports/code-host.ts";
import type { AskedAnswer, AskedRun, RunAsker } from "../ports/run-asker.ts";
import { optionSentence } from "../report/commands.ts";
import { whyRefused } from "./admit-request.ts";
import type { AdmissionDependencies } from "./dependencies.ts";

interface AskDependencies extends Pick<AdmissionDependencies, "openCodeHost" | "readSettings" | "queue" | "log"> {
  /** the app's installation on a repository; undefined where it is not installed */
  readonly installationOf: (repository: Pick<RepositoryId, "owner" | "name">) => Promise<number | undefined>;
  readonly receive: (delivery: Delivery) => Promise<Receipt>;
  /** the address of a run's page on the dashboard; undefined where people on the host cannot see one */
  readonly pageOf: (run: string) => string | undefined;
}

const refuse = (refused: "forbidden" | "conflict" | "invalid", reason: string): AskedAnswer => ({ refused, reason });

/**
 * Makes the function that asks for a run as a comment by the named person would: the person's permission is asked from
 * the host, and the guards of a comment answer at once. What they let pass is a delivery like any other, which is
 * admitted again before its run begins.
 */
export function createRunAsker(deps: AskDependencies): RunAsker {
  return async (asked) => {
    const trigger = triggerOfRequest(asked.hint);
    const faults = optionsOf(trigger)?.faults ?? [];
    if (faults.length > 0) return refuse("invalid", optionSentence(faults));
    const installationId = await deps.installationOf(asked);
    if (installationId === undefined) return refuse("invalid", "The app is not installed on that repository.");
    const host = await deps.openCodeHost({ owner: asked.owner, name: asked.name, installationId });
    const issue = await readIssue(host, asked.issue);
    if (issue === undefined) return refuse("invalid", "There is no such issue.");
    if (issue.isPullRequest) return refuse("invalid", "That is a pull request, not an issue.");
    const names = namesIn(issue.url);
    if (names === undefined || !isSame(names, asked))
      return refuse("invalid", "The issue is in another repository now.");
    const repository = { ...names, installationId };
    const delivery: Delivery = {
      id: asked.id,
      digest: asked.digest,
      repository,
      issue: asked.issue,
      trigger,
      actor: asked.person,
      actorIsBot: asked.person.endsWith("[bot]"),
      at: new Date().toISOString(),
    };
    return (await whyNot(delivery, host, deps)) ?? (await hand(delivery, issue, deps));
  };
}

const REFUSED = { person: "forbidden", options: "invalid", issue: "conflict" } as const;

async function whyNot(
  delivery: Delivery,
  host: CodeHost,
  { readSettings, queue, log }: AskDependencies,
): Promise<AskedAnswer | undefined> {
  const read = await readSettings(delivery.repository, host);
  if ("faults" in read) return refuse("conflict", "The bot's configuration in that repository has faults.");
  const { allowedBots, budget, skipLabels } = read.settings;
  const refusal = await whyRefused(delivery, host, { allowedBots, budget, skipLabels });
  if (refusal) {
    log.info({ delivery: delivery.id, reason: refusal.reason }, "signed request refused");
    return refuse(REFUSED[refusal.because], refusal.reason);
  }
  const unfinished = await queue.unfinished(delivery.repository, delivery.issue);
  return unfinished.length > 0 ? refuse("conflict", "A run of that issue has not ended.") : undefined;
}

async function hand(
  delivery: Delivery,
  { url }: HostIssue,
  { receive, pageOf, log }: AskDependencies,
): Promise<AskedAnswer> {
  const { id, repository, issue, actor } = delivery;
  if ((await receive(delivery)) === "known") return refuse("conflict", "This request has been made before.");
  log.info({ delivery: id, person: actor }, "signed request recorded");
  const run = runId(repository, issue, id);
  return { run, issue: url, page: pageOf(run) };
}

async function readIssue(host: CodeHost, issue: number): Promise<HostIssue | undefined> {
  try {
    return await host.readIssue(issue);
  } catch (error) {
    if (isHostRefusal(error)) return undefined;
    throw error;
  }
}

/** The repository's names as the host spells them, which queues and the ledger go by. */
function namesIn(issueUrl: string): Pick<RepositoryId, "owner" | "name"> | undefined {
  const [, owner, name] = /\/([\w.-]+)\/([\w.-]+)\/(?:issues|pull)\/\d+$/.exec(issueUrl) ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}

function isSame(names: Pick<RepositoryId, "owner" | "name">, { owner, name }: AskedRun): boolean {
  return names.owner.toLowerCase() === owner.toLowerCase() && names.name.toLowerCase() === name.toLowerCase();
}
