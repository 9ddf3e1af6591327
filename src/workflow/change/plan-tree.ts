import type { CallExpression, Expression, Node, Program, SpreadElement } from "acorn";
import type { PlanNode } from "../../model/task.ts";

const MAX_DEPTH = 16;

type Refuse = (node: Node, fault: string) => never;

/** Makes the plan's tree of its parsed code; `refuse` is called with the first node that is not in the accepted form. */
export function planTree(program: Program, refuse: Refuse): PlanNode {
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
  const words = type.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return `a plan holds calls only, and this is: ${words}`;
}
