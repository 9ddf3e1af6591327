import { markers } from "../../data/marks.ts";
import { withOptions } from "../../data/request-options.ts";
import type { AdmissionDecision, Delivery, RunRequest } from "../../data/run-request.ts";
import type { OperatorLimits, Settings } from "../../data/settings.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import type { SettingsFault } from "../../settings/repository/check-document.ts";
import { readSettings } from "../../settings/repository/read-settings.ts";
import { codeSpan } from "../../text/compose-markdown.ts";
import type { AdmissionRules, SettingsReader } from "./dependencies.ts";
import { askGuards, equalNames, guardsOf } from "./guards.ts";

export function createSettingsReader(limits: OperatorLimits): SettingsReader {
  return ({ owner, name }, host) =>
    readSettings({
      owner,
      readRepositoryFile: (path) => host.readFile(name, path),
      listRepositoryFolder: (path) => host.listFolder(name, path),
      readOwnerFile: (repository, path) => host.readFile(repository, path),
      limits,
    });
}

/**
 * Reports faults in the repository's configuration on the issue, once for each request by somebody who may ask. Reviews
 * and ended checks get no such report.
 */
export async function reportFaults(
  delivery: Delivery,
  host: CodeHost,
  faults: readonly SettingsFault[],
  { label, allowedBots }: AdmissionRules,
): Promise<void> {
  const { trigger } = delivery;
  const asked =
    trigger.kind === "label"
      ? equalNames(trigger.label, label)
      : trigger.kind === "command" || trigger.kind === "other-command";
  if (!asked || (await askGuards(guardsOf(trigger), delivery, host, { allowedBots }))) return;
  const marker = markers.settings(delivery.id);
  await sayOnce(host, delivery.issue, marker, `${marker}\n\n${faultReport(faults)}`);
}

/**
 * Puts the repository's present settings into the decision's request. Where plans need approval, a run stops at its
 * plan.
 */
export function withSettings(
  decision: AdmissionDecision | undefined,
  settings: Settings,
): AdmissionDecision | undefined {
  if (!decision) return undefined;
  const decided = (request: RunRequest): RunRequest => ({
    ...request,
    settings: withOptions(settings, request.options),
    work: gated(request, settings),
  });
  if ("start" in decision) return { start: decided(decision.start) };
  if (!("cancel" in decision)) return decision;
  const { calledOff } = decision.cancel;
  return calledOff ? { ...decision, cancel: { ...decision.cancel, calledOff: calledOff.map(decided) } } : decision;
}

/** A run that was asked for before plans needed approval is asked like a new one, unless a person approves it now. */
function gated({ work, id, root, settings: before, trigger }: RunRequest, { approval }: Settings): RunRequest["work"] {
  if (work.kind !== "resolve" || approval !== "required") return work;
  const isApproved = trigger.kind === "other-command" && trigger.command.verb === "approve";
  const wasAsked = id !== root && (isApproved || before?.approval === "required");
  return wasAsked ? work : { ...work, gate: "plan" };
}

const MAX = 20;

/** The faults as Markdown, by file, with line numbers; a long list says that it is cut. */
export function faultReport(faults: readonly SettingsFault[]): string {
  const files = [...new Set(faults.slice(0, MAX).map(({ file }) => file))];
  const sections = files.map((file) => {
    const items = faults.slice(0, MAX).filter((fault) => fault.file === file);
    return [`In ${codeSpan(file)}:`, ...items.map(item)].join("\n");
  });
  const rest = faults.length - MAX;
  return [
    "I did not start, because my configuration in this repository has faults:",
    ...sections,
    ...(rest > 0 ? [`And ${rest} more.`] : []),
    "Please correct this on the default branch, then ask again.",
  ].join("\n\n");
}

function item({ line, message }: SettingsFault): string {
  return `- line ${line}: ${message}`;
}
