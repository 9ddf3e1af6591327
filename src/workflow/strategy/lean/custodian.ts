import { z } from "zod";
import { orElse, orElseRead, unjudged } from "../../../llm/agents.ts";
import type { AnswerTool } from "../../../llm/conversation.ts";
import type { Check, PromptRunner } from "../../../llm/prompt-runner.ts";
import type { Toolset } from "../../../llm/toolset.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import { lookupsOf } from "./agents.ts";
import type { ChosenLines, FaultOf, LinesToChooseFrom, ViewedFile } from "./view/view.ts";

export type Shortlist = z.infer<typeof ShortlistShape>;

/** P1 to P3 together */
const ShortlistShape = z.object({
  files: orElse(
    z.array(
      z.object({
        path: z.string(),
        verdict: z.enum(["change", "read", "no"]),
        reason: orElseRead(z.string(), ""),
        names: orElse(z.array(z.string()), []),
        summary: orElse(z.string(), ""),
      }),
    ),
    [],
  ),
  more: orElse(
    z.array(
      z.object({
        path: z.string(),
        verdict: z.enum(["change", "read"]),
        reason: orElse(z.string(), ""),
        names: orElse(z.array(z.string()), []),
      }),
    ),
    [],
  ),
});

/** The lines of the found files that the Manager plans from */
const ChosenLinesShape = z.object({
  lines: z.array(z.string()),
  search: orElse(z.array(z.object({ pattern: z.string(), path: z.string() })), []),
});

const SHORTLIST: AnswerTool<Shortlist> = {
  name: "shortlist",
  description: "Custodian's answer",
  shape: ShortlistShape,
};

/** Where the Custodian may find files that the search missed. */
interface Looking {
  /** "" if there is none */
  readonly map: string;
  readonly toolset: Toolset | undefined;
  readonly faultOf: FaultOf;
}

/** The Repository Custodian (3.1) when it judges all files in one call. */
export interface LeanCustodian {
  /**
   * P1 to P3 together, and beyond the paper: each file's verdict, the missing summaries, and files that the search
   * missed, named from `map` or found with `toolset`. Files that the answer leaves out do not matter to the issue.
   */
  shortlist(issue: IssueSnapshot, files: readonly ViewedFile[], looking: Looking): Promise<Shortlist>;
  /** Beyond the paper: which of many lines the Manager has to see. `faultOf` checks a place. */
  chooseLines(issue: IssueSnapshot, view: LinesToChooseFrom, faultOf: FaultOf): Promise<ChosenLines>;
}

export function createLeanCustodian(prompts: PromptRunner): LeanCustodian {
  return {
    shortlist(issue, files, { map, toolset, faultOf }) {
      const faults = reportOnce(faultOf);
      const check: Check<Shortlist> = ({ files: judged, more }) =>
        judged.length + more.length > 0 ? faults(more.map(({ path }) => path)) : unjudged(files, judged);
      const inputs = { issue, files, map, ...lookupsOf(toolset) };
      const form = toolset ? { by: SHORTLIST, among: [SHORTLIST], toolset } : ShortlistShape;
      return prompts.ask("c02-locate-files", inputs, form, check);
    },
    chooseLines(issue, view, faultOf) {
      const faults = reportOnce(faultOf);
      const check: Check<ChosenLines> = ({ lines }) =>
        lines.length > 0 ? faults(lines) : "Choose at least one place.";
      return prompts.ask("c03-choose-lines", { issue, ...view }, ChosenLinesShape, check);
    },
  };
}

/** Reports all faults of the named files or places, but only once: after that they are accepted. */
function reportOnce(faultOf: FaultOf): (named: readonly string[]) => string | undefined {
  let wasReported = false;
  return (named) => {
    const faults = wasReported ? [] : named.flatMap((one) => faultOf(one) ?? []);
    if (faults.length === 0) return undefined;
    wasReported = true;
    return `${faults.join("\n")}\nGive the whole answer again without them, with others in their place if there are any.`;
  };
}
