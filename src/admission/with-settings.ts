import type { AdmissionDecision } from "../model/admission-decision.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { Settings } from "../model/settings.ts";

/**
 * A decision with what the repository has decided, kept in the request so that a run that is taken up again goes by the
 * same. Where plans need approval, a run that somebody asks for anew stops at its plan.
 */
export function withSettings(
  decision: AdmissionDecision | undefined,
  settings: Settings,
): AdmissionDecision | undefined {
  if (!decision || !("start" in decision)) return decision;
  const { start } = decision;
  return { start: { ...start, settings, work: gated(start, settings) } };
}

function gated({ work, id, root }: RunRequest, { approval }: Settings): RunRequest["work"] {
  return work.kind === "resolve" && id === root && approval === "required" ? { ...work, gate: "plan" } : work;
}
