import { closeSync, readFileSync } from "node:fs";
import type { Environment } from "./read-config.ts";

/** The number that the pipe has in a job's own process. */
const JOB_PIPE = 4;

/** The pipe that MAGIS_SECRETS_FD names, and the environment of a job's process that takes it over as its fifth. */
export function pipeForJob(environment: Environment): { readonly pipe: number | "ignore"; readonly env: Environment } {
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

function pipeOf({ MAGIS_SECRETS_FD: named = "" }: Environment): number | undefined {
  return /^\d{1,3}$/.test(named) ? Number(named) : undefined;
}
