import { type Program, parse } from "acorn";
import { stripFence } from "../../edits/strip-fence.ts";
import type { PlanNode, Task } from "../../model/task.ts";
import { checkPlan } from "./check-plan.ts";
import { planTree } from "./plan-tree.ts";

const MAX_SOURCE = 50_000;
const ALLOWED =
  'Allowed are only run("t1"), sequence(…) and concurrently(…) of such calls, each perhaps after await, and one such statement after another.';

export type ParsedPlan = { readonly order: PlanNode } | { readonly reason: string };

/**
 * Reads the Manager's plan as code (P7, Algorithm 2) into an order of tasks. The code is parsed and checked, never
 * evaluated; a code fence around it and comments are fine. Each task runs exactly once; two tasks of one path are
 * never in different branches of one `concurrently`. A wrong plan gives the reason, in words the Manager can act on.
 */
export function parsePlan(source: string, tasks: readonly Pick<Task, "id" | "path">[]): ParsedPlan {
  if (source.length > MAX_SOURCE) return { reason: `The plan is longer than ${MAX_SOURCE} characters. ${ALLOWED}` };
  const code = stripFence(source)?.content ?? source;
  try {
    const order = planTree(programOf(code), (node, fault) => {
      throw new PlanFault(fault, lineAt(code, node.start));
    });
    const reason = checkPlan(order, tasks);
    return reason === undefined ? { order } : { reason };
  } catch (error) {
    if (!(error instanceof PlanFault)) throw error;
    return { reason: `Line ${error.line} of the plan (${textOf(code, error.line)}): ${error.message}. ${ALLOWED}` };
  }
}

class PlanFault extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

function programOf(code: string): Program {
  try {
    return parse(code, { ecmaVersion: "latest", sourceType: "module" });
  } catch (error) {
    if (error instanceof RangeError) throw new PlanFault("it is nested too deep", 1);
    if (!(error instanceof SyntaxError)) throw error;
    const position = "pos" in error && typeof error.pos === "number" ? error.pos : 0;
    throw new PlanFault(`it does not parse: ${error.message.replace(/ \(\d+:\d+\)$/, "")}`, lineAt(code, position));
  }
}

function lineAt(code: string, position: number): number {
  return code.slice(0, position).split("\n").length;
}

function textOf(code: string, line: number): string {
  const text = (code.split("\n")[line - 1] ?? "").trim();
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
