import { spawn } from "node:child_process";

// Forked by `run-program.ts`: runs the programs that it is sent, and answers with what they gave.

process.on("message", ({ id, task: { command, args, cwd, env, input } }) => {
  const child = spawn(command, args, { cwd, env });
  const out = [];
  const err = [];
  child.stdout.on("data", (chunk) => out.push(chunk));
  child.stderr.on("data", (chunk) => err.push(chunk));
  child.on("error", ({ message }) => process.send({ id, failed: message }));
  child.stdin.on("error", () => undefined); // it may end before reading everything; its exit code decides
  child.stdin.end(input);
  child.on("close", (code) => process.send({ id, ended: { code, out: Buffer.concat(out), err: Buffer.concat(err) } }));
});
process.once("disconnect", () => process.exit());
