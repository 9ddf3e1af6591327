// Measures MAGIS on SWE-bench instances: npm run eval -- --help
import { runProgram } from "../src/run-program.ts";
import { runEvalCommand } from "./run-eval-command.ts";

await runProgram(runEvalCommand);
