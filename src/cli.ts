#!/usr/bin/env node
import { isGuarded, runGuarded } from "./commands/job-output.ts";
import { runCommand } from "./run-command.ts";
import { runProgram } from "./run-program.ts";

if (process.argv[2] === "action" && !isGuarded())
  process.exitCode = await runGuarded(process.argv.slice(1), process.stdout, process.stderr);
else await runProgram(runCommand);
