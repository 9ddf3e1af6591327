#!/usr/bin/env node
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import isInteractive from "is-interactive";
import { createActionCommand } from "./cli/action-command.ts";
import { createDoctorCommand } from "./cli/doctor/doctor-command.ts";
import { createEvalCommand } from "./cli/eval-command.ts";
import { createForgetCommand } from "./cli/forget-command.ts";
import { createResolveCommand } from "./cli/resolve/resolve-command.ts";
import { runCli } from "./cli/run-cli.ts";
import { createSetupCommand } from "./cli/setup/setup-command.ts";
import { createShowCommand } from "./cli/show/show-command.ts";
import { createStartCommand } from "./cli/start-command.ts";
import { cutText, fitText } from "./cli/terminal-text.ts";
import type { Log } from "./ports/log.ts";

const PACKAGE = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "package.json");

const { stderr } = process;

// The cursor stays: what hides it waits for signals of its own.
const drawn = isInteractive({ stream: stderr })
  ? (await import("log-update")).createLogUpdate(stderr, { showCursor: true })
  : undefined;

const say = (text: string) => {
  drawn?.clear();
  stderr.write(`${fitText(text, stderr.columns)}\n`);
};

const live = (line: string) => (line === "" ? drawn?.clear() : drawn?.(cutText(line, (stderr.columns || 80) - 1)));

/** People read it, so only what they should know, on standard error. */
const log: Log = { info: () => undefined, warn: (_, message) => say(message), error: (_, message) => say(message) };

// What a command needs is loaded when it is given: help and usage faults come at once.
const commands = [
  createActionCommand(async (request, cli) => (await import("./wire/action/run-action.ts")).runAction(request, cli)),
  createDoctorCommand(async (request, cli) => (await import("./wire/run-doctor.ts")).runDoctor(request, cli)),
  createEvalCommand(async (options, cli) => (await import("./wire/run-eval.ts")).runEval(options, cli)),
  createForgetCommand(async (request) => (await import("./wire/send-request.ts")).sendRequest(request, log)),
  createResolveCommand(async () => (await import("./wire/resolve/resolve-services.ts")).resolveServices(log)),
  createSetupCommand(async ({ port, ...request }, cli) => {
    const { runSetup } = await import("./wire/run-setup.ts");
    return runSetup(request, cli, { host: "127.0.0.1", port });
  }),
  createShowCommand(async () => (await import("./wire/send-request.ts")).showServices(log)),
  createStartCommand(async () => void (await import("./main.ts"))),
];

const interrupt = new AbortController();

process.once("SIGINT", () => interrupt.abort());

process.once("SIGTERM", () => interrupt.abort());

// Who reads only the beginning (`| head`) wants no more.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };

const context = {
  version,
  signal: interrupt.signal,
  columns: process.stdout.columns,
  progress: say,
  ...(drawn && { live }),
};

const { exitCode, text, output } = await runCli(process.argv.slice(2), commands, context);

if (output !== undefined) process.stdout.write(output);

if (exitCode !== 0 && text !== "") say(text);
else if (text !== "") process.stdout.write(`${text}\n`);

process.exitCode = exitCode;
