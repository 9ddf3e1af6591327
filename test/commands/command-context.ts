import { Readable, Writable } from "node:stream";
import type { CliCommand, CliContext, NamedCommand } from "../../src/commands/cli-command.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";

const nowhere = () => new Writable({ write: (_bytes, _encoding, done) => done() });

/** What a command gets when it is called without a process: an empty environment, and no terminal. */
export const commandContext = (changes: Partial<CliContext> = {}): CliContext => ({
  version: "1.2.3",
  environment: {},
  stdin: Readable.from([]),
  stdout: nowhere(),
  stderr: nowhere(),
  signal: new AbortController().signal,
  log: createFakeLog().log,
  progress: () => undefined,
  startBot: () => Promise.reject(new Error("no bot was to be started")),
  ...changes,
});

/** A line for the table of commands. */
export const named = (name: string, command: CliCommand, more: Partial<NamedCommand> = {}): NamedCommand => ({
  name,
  description: `${name} it`,
  load: async () => command,
  ...more,
});
