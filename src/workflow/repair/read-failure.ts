import type { FailedCheck } from "../../model/failed-check.ts";
import { isMagisError } from "../../model/magis-error.ts";
import type { Check, CheckApi } from "../../ports/check-api.ts";
import type { Log } from "../../ports/log.ts";
import { stripInvisible } from "../../text/strip-invisible.ts";
import { cleanLog } from "./clean-log.ts";
import { createPathFinder } from "./create-path-finder.ts";
import { cutLog } from "./cut-log.ts";
import { findPlaces } from "./find-places.ts";

/** The end of a log that is read, in bytes, and what of it is shown to the agents, in characters. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN = 12_000;
/** What GitHub marks every failed step with says nothing. */
const IDLE = /^(?:[\w.-]+: )?(?:Process completed with exit code|The operation was canceled)/i;

/** All that is known of one failed check. What the host does not give (a log that is gone, a status) is left out. */
export async function readFailure(deps: {
  readonly check: Check;
  readonly host: Pick<CheckApi, "annotationsOf" | "jobLog">;
  /** paths of the repository's files */
  readonly paths: readonly string[];
  readonly log: Log;
}): Promise<FailedCheck> {
  const { check, host, paths, log } = deps;
  const { checkRunId, jobId, name, summary } = check;
  const rows = checkRunId === undefined ? [] : await orNone(() => host.annotationsOf(checkRunId), []);
  const raw = jobId === undefined ? undefined : await orNone(() => host.jobLog(jobId, MAX_BYTES), undefined);
  const find = createPathFinder(paths);
  const annotations = rows
    .filter(({ level, message }) => level !== "notice" && !IDLE.test(message))
    .map(({ path, startLine, message }) => ({
      path: find(path) ?? path,
      line: startLine,
      message: stripInvisible(message),
    }));
  const shown = cutLog(cleanLog(raw ?? ""), MAX_SHOWN);
  const said = stripInvisible(summary);
  const marked = annotations.map(({ path, line }) => ` ${path}:${line}`).join("\n");
  const places = findPlaces(`${marked}\n${said}\n${shown}`, paths);
  return { name, summary: said, annotations, log: shown, places };

  async function orNone<T>(read: () => Promise<T>, none: T): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND")) throw error;
      log.warn({ error, check: name }, "the host does not give all of a failed check");
      return none;
    }
  }
}
