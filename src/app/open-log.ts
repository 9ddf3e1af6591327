import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { ownVersion } from "../data/own-files.ts";
import type { Config } from "../settings/environment/config.ts";
import { terminalText } from "../text/strip-escapes.ts";
import { serializeError } from "../webhooks/server/start-server.ts";

/** Where a log goes. */
export type LogTarget = NodeJS.WritableStream & { isTTY?: boolean; hasColors?(): boolean };

/** The server's log from `level` on, one line per event: for people on a terminal, else JSON; `mixin` adds to each. */
export async function openLog(
  level: string,
  target: LogTarget = process.stdout,
  mixin: () => object = () => ({}),
): Promise<Logger> {
  const options: LoggerOptions = { level, mixin, serializers: { err: serializeError, error: serializeError } };
  if (target.isTTY !== true) return pino(options, target === process.stdout ? standardOutput() : target);
  return pino(options, await prettyStream(target));
}

/** Writes at once, like pino's own destination, but lets the process notice when nobody reads the log any more. */
function standardOutput(): DestinationStream {
  const destination = pino.destination(1);
  destination.on("error", (error) => process.stdout.emit("error", error));
  return destination;
}

/** Loaded on a terminal only. Strips control codes, because errors and messages quote other people. */
async function prettyStream(target: LogTarget): Promise<DestinationStream> {
  const { prettyFactory } = (await import("pino-pretty")).default;
  // hasColors() heeds NO_COLOR and terminals without colours.
  const colorize = target.hasColors?.() === true;
  const toText = prettyFactory({
    colorize,
    ignore: "pid,hostname",
    translateTime: "SYS:HH:MM:ss",
    errorLikeObjectKeys: ["err", "error"],
  });
  return { write: (line) => void target.write(toText(safeLine(line))) };
}

function safeLine(line: string): object {
  return JSON.parse(line, (key, value: unknown) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [terminalText(name), one]));
    }
    if (typeof value !== "string") return value;
    const text = terminalText(value);
    return key === "msg" ? text.replaceAll("\n", " ") : text;
  }) as object;
}

/** The log's first line: the program's version, its host, models and database. */
export function firstLine(config: Config): readonly [object, string] {
  const version = ownVersion();
  const { strong, fast } = config.model.models;
  const host = config.github.webUrl;
  const database = databaseName(config.database);
  const sentence = `MAGIS ${version} for ${host}, models ${strong} and ${fast}, ${database}`;
  return [{ version, host, models: { strong, fast }, database, node: process.version }, sentence];
}

/** Kind and place, without an address's user, password and options. */
function databaseName({ url, dataDir }: Config["database"]): string {
  if (url === undefined) return `embedded database in ${dataDir}`;
  const host = URL.canParse(url) ? new URL(url).host : "";
  return host === "" ? "PostgreSQL" : `PostgreSQL at ${host}`;
}
