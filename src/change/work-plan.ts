import { type CallExpression, type Expression, type Node, type Program, parse, type SpreadElement } from "acorn";
import { stripFence } from "../code/edits/line-edits.ts";
import type { MadePlan, PlanNode, Task } from "../data/plan.ts";

const MAX_SOURCE = 50_000;

const ALLOWED =
  'Allowed are only run("t1"), sequence(…) and concurrently(…) of such calls, each perhaps after await, and one such statement after another.';

export type ParsedPlan = { order: PlanNode } | { reason: string };

/**
 * Parses the Manager's plan as code (P7, Algorithm 2) into an order of tasks; never evaluates it. A code fence around
 * it and comments are fine. Each task runs exactly once, and two tasks of one path are never in different branches of
 * one `concurrently`. Gives the reason for a wrong plan, in words for the Manager.
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

type Paths = ReadonlyMap<string, string>;

/**
 * What is wrong with an order of tasks, in words for the Manager; undefined if each task is there exactly once and no
 * two that write the same file could run at the same time.
 */
function checkPlan(order: PlanNode, tasks: readonly Pick<Task, "id" | "path">[]): string | undefined {
  const paths: Paths = new Map(tasks.map(({ id, path }) => [id, path]));
  const written = taskIds(order);
  const faults: string[] = [];
  const unknown = unique(written.filter((id) => !paths.has(id)));
  if (unknown.length > 0) faults.push(`There is no task ${list(unknown)}.`);
  const repeated = unique(written.filter((id, index) => written.indexOf(id) !== index && paths.has(id)));
  if (repeated.length > 0) faults.push(`Run more than once: ${list(repeated)}.`);
  const missing = [...paths.keys()].filter((id) => !written.includes(id));
  if (missing.length > 0) faults.push(`Missing: ${list(missing)}.`);
  if (faults.length > 0) return `${faults.join(" ")} Run each task exactly once: ${list([...paths.keys()])}.`;
  const clash = clashIn(order, paths);
  if (clash === undefined) return undefined;
  const [one, other] = clash;
  return `Tasks ${one} and ${other} both change ${paths.get(one)} and must not run concurrently: put one after the other.`;
}

/** The first two tasks in different branches of one `concurrently` that write the same file. */
function clashIn(node: PlanNode, paths: Paths): [string, string] | undefined {
  if ("run" in node) return undefined;
  const branches = "sequence" in node ? node.sequence : node.concurrently;
  if ("concurrently" in node) {
    const writers = new Map<string | undefined, { id: string; branch: PlanNode }>();
    for (const branch of branches) {
      for (const id of taskIds(branch)) {
        const writer = writers.get(paths.get(id));
        if (writer !== undefined && writer.branch !== branch) return [writer.id, id];
        writers.set(paths.get(id), { id, branch });
      }
    }
  }
  for (const branch of branches) {
    const clash = clashIn(branch, paths);
    if (clash !== undefined) return clash;
  }
  return undefined;
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function list(ids: readonly string[]): string {
  return ids.slice(0, 20).join(", ") + (ids.length > 20 ? ", …" : "");
}

const MAX_DEPTH = 16;

type Refuse = (node: Node, fault: string) => never;

/** Builds the plan's tree from its parsed code; calls `refuse` with the first node that is not allowed. */
function planTree(program: Program, refuse: Refuse): PlanNode {
  const nodes: PlanNode[] = [];
  for (const statement of program.body) {
    if (statement.type === "EmptyStatement") continue;
    if (statement.type !== "ExpressionStatement") return refuse(statement, faultOf(statement.type));
    nodes.push(nodeOf(statement.expression, refuse, 0));
  }
  return join("sequence", nodes);
}

function nodeOf(expression: Expression | SpreadElement, refuse: Refuse, depth: number): PlanNode {
  if (depth > MAX_DEPTH) return refuse(expression, `calls are nested more than ${MAX_DEPTH} deep`);
  if (expression.type === "AwaitExpression") return nodeOf(expression.argument, refuse, depth + 1);
  if (expression.type !== "CallExpression" || expression.optional) return refuse(expression, faultOf(expression.type));
  const name = expression.callee.type === "Identifier" ? expression.callee.name : "";
  if (name === "run") return runOf(expression, refuse);
  if (name !== "sequence" && name !== "concurrently") {
    return refuse(expression, name === "" ? "this call is not allowed" : `there is no function ${name}`);
  }
  if (expression.arguments.length === 0) return refuse(expression, `${name}() holds nothing`);
  return join(
    name,
    expression.arguments.map((argument) => nodeOf(argument, refuse, depth + 1)),
  );
}

function runOf(call: CallExpression, refuse: Refuse): PlanNode {
  const [id, ...more] = call.arguments;
  if (id?.type !== "Literal" || typeof id.value !== "string" || more.length > 0) {
    return refuse(call, "run takes one task id as a string");
  }
  return { run: id.value };
}

function join(kind: "sequence" | "concurrently", nodes: readonly PlanNode[]): PlanNode {
  const [only, second] = nodes;
  if (only !== undefined && second === undefined) return only;
  return kind === "sequence" ? { sequence: nodes } : { concurrently: nodes };
}

function faultOf(type: string): string {
  const name = type.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return `a plan holds calls only, and this is: ${name}`;
}

/** The ids of all tasks in a plan, in the order written. */
function taskIds(node: PlanNode): string[] {
  if ("run" in node) return [node.run];
  return ("sequence" in node ? node.sequence : node.concurrently).flatMap(taskIds);
}

/** The order used when the Manager's is unusable: one task after the other, as listed. */
export function sequencePlan(tasks: readonly Pick<Task, "id">[]): PlanNode {
  const [only, second] = tasks;
  if (only !== undefined && second === undefined) return { run: only.id };
  return { sequence: tasks.map(({ id }) => ({ run: id })) };
}

/**
 * Carries out a plan (Algorithm 2, P7): concurrent branches at the same time, the rest in order. `run` does one task and
 * gets the outcomes of the tasks before it in the plan, never of those that run at the same time. Gives all outcomes in
 * the plan's order. Throws what `run` throws, once those have ended.
 */
export async function carryOut<T>(
  node: PlanNode,
  run: (id: string, before: readonly T[]) => Promise<readonly T[]>,
  before: readonly T[] = [],
): Promise<readonly T[]> {
  if ("run" in node) return run(node.run, before);
  if ("sequence" in node) {
    let done: readonly T[] = [];
    for (const step of node.sequence) done = [...done, ...(await carryOut(step, run, [...before, ...done]))];
    return done;
  }
  const branches = await Promise.allSettled(node.concurrently.map((branch) => carryOut(branch, run, before)));
  return branches.flatMap((branch) => {
    if (branch.status === "rejected") throw branch.reason;
    return branch.value;
  });
}

/** The tasks that fit, in their order. */
export function partOf(plan: MadePlan, fits: (task: Task) => boolean): MadePlan {
  const tasks = plan.tasks.filter(fits);
  const ids = new Set(tasks.map(({ id }) => id));
  const order = withoutOthers(plan.order, ids) ?? { sequence: [] };
  return { ...plan, tasks, order, source: tasks.map(({ id }) => `run("${id}");`).join("\n") };
}

function withoutOthers(node: PlanNode, ids: ReadonlySet<string>): PlanNode | undefined {
  if ("run" in node) return ids.has(node.run) ? node : undefined;
  const parts = ("sequence" in node ? node.sequence : node.concurrently).flatMap(
    (one) => withoutOthers(one, ids) ?? [],
  );
  if (parts.length === 0) return undefined;
  return "sequence" in node ? { sequence: parts } : { concurrently: parts };
}
