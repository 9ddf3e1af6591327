import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { check, report } from "./index.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { format: { type: "string", default: "text" } },
});
const findings = positionals.flatMap((path) => check(path, readFileSync(path, "utf8")));
process.stdout.write(report(findings, values.format));
process.exitCode = findings.some(({ level }) => level === "error") ? 1 : 0;
