import { closeSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Environment } from "./read-config.ts";

/** The number that the pipe has in a job's own process. */
const JOB_PIPE = 4;

/** The pipe that MAGIS_SECRETS_FD names, and the environment of a job's process that takes it over as its fifth. */
export function pipeForJob(environment: Environment): { pipe: number | "ignore"; env: Environment } {
  const pipe = pipeOf(environment);
  if (pipe === undefined) return { pipe: "ignore", env: environment };
  return { pipe, env: { ...environment, MAGIS_SECRETS_FD: String(JOB_PIPE) } };
}

/**
 * Reads variables (`NAME=value`, each ended by a zero byte) from the pipe that MAGIS_SECRETS_FD names, once. They are
 * then in this process's memory alone: what a process was started with is in `/proc/PID/environ`, where every program
 * of the same user can read it.
 */
export function pipedVariables(environment: Environment): Readonly<Record<string, string>> {
  const pipe = pipeOf(environment);
  if (pipe === undefined) return {};
  const text = readFileSync(pipe, "utf8");
  closeSync(pipe);
  const variables = [...text.matchAll(/(?<![^=\0])([^=\0]+)=([^\0]*)\0/g)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);
  return { ...Object.fromEntries(variables), MAGIS_SECRETS_FD: "" };
}

/**
 * Reads systemd's credentials (`LoadCredential=ANTHROPIC_API_KEY:/etc/…`): files that only this service can read, each
 * named by its variable. A variable that is set wins. A line's end after the value is not part of it.
 */
export function credentialVariables(environment: Environment): Readonly<Record<string, string>> {
  const folder = environment.CREDENTIALS_DIRECTORY;
  if (!folder) return {};
  const names = readdirSync(folder).filter((name) => VARIABLE.test(name) && !environment[name]);
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(path.join(folder, name), "utf8").replace(/\r?\n$/, "")]),
  );
}

/** Other programs' credentials have other names. */
const VARIABLE = /^[A-Z][A-Z0-9_]+$/;

function pipeOf({ MAGIS_SECRETS_FD: named = "" }: Environment): number | undefined {
  return /^\d{1,3}$/.test(named) ? Number(named) : undefined;
}
