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

/** Of the files that were found, the lines that the Manager plans from */
const ChosenLinesShape = z.object({
  lines: z.array(z.string()),
  search: orElse(z.array(z.object({ pattern: z.string(), path: z.string() })), []),
});

const SHORTLIST: AnswerTool<Shortlist> = {
  name: "shortlist",
  description: "Custodian's answer",
  shape: ShortlistShape,
};

/** What the Custodian may name files from that the search has missed. */
interface Looking {
  /** "" for none */
  readonly map: string;
  readonly toolset: Toolset | undefined;
  readonly faultOf: FaultOf;
}

/** The Repository Custodian (3.1) when it judges all files in one call. */
export interface LeanCustodian {
  /**
   * P1 to P3 together, and beyond the paper: what each file is to the issue, the missing summaries, and files that the
   * search has missed, named from `map` ("" for none) or found with `toolset`. What the answer leaves out is nothing to
   * it.
   */
  shortlist(issue: IssueSnapshot, files: readonly ViewedFile[], looking: Looking): Promise<Shortlist>;
  /** Beyond the paper: which of so many lines the Manager has to see. `faultOf` as in `Looking`, of a place. */
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

/** Gives the faults of what was named, all together, the first time that there are any. */
function reportOnce(faultOf: FaultOf): (named: readonly string[]) => string | undefined {
  let wasReported = false;
  return (named) => {
    const faults = wasReported ? [] : named.flatMap((one) => faultOf(one) ?? []);
    if (faults.length === 0) return undefined;
    wasReported = true;
    return `${faults.join("\n")}\nGive the whole answer again without them, with others in their place if there are any.`;
  };
}
