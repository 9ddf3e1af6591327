import { runShape, type ShownRun } from "./run-shape.ts";

/** A RunReport of this or another version, from anywhere; undefined when it is none. */
export function readRun(report: unknown): ShownRun | undefined {
  return runShape.safeParse(report).data;
}
