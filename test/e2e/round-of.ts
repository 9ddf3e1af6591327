import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { commentsIn } from "./comments-in.ts";

/** The round, from 1, that a call of a Developer or QA Engineer belongs to. */
export function roundOf(call: ScriptedCall): number {
  const said = /(?:The Developer's|The) change, round (\d+) of/.exec(call.text)?.[1];
  if (said !== undefined) return Number(said);
  if (!call.text.includes("This is another round:")) return 1;
  const rounds = commentsIn(call).map(({ id }) => Number(/-r(\d+)-/.exec(id)?.[1]));
  return Math.max(1, ...rounds) + 1;
}
