export { describe } from "./describe.js";
export { nextRun } from "./next-run.js";
export { parseExpression } from "./parse-expression.js";
