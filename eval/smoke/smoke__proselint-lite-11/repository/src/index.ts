export { check } from "./check.js";
export { report } from "./report.js";
export type { Finding } from "./finding.js";
