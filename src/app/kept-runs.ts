import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { isMagisError } from "../data/error.ts";
import { readRun } from "../data/read-record.ts";
import { repositoryName } from "../data/run-request.ts";
import { statusOf } from "../data/run-status.ts";
import { writeWhole } from "../data/write-whole.ts";
import type { RunArchive, RunReport, RunSummary } from "../run/runs.ts";
import { LARGEST_RECORD, parseJson } from "../text/bounded.ts";

/** Runs to keep, and for how long; the latest always stays. */
const MOST = 50;

const MAX_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;

/** A sortable time, and a hash of the run's id to find it by. */
const NAME = /^\d{4}-\d\d-\d\dT[\d-]{8,}Z-[0-9a-f]{32}\.json$/;

/** What a process has left behind that was killed while it wrote. */
const DRAFT = /^\.\d{4}-\d\d-\d\dT.*\.tmp$/;

/** The runs of the command line on this machine. */
export interface KeptRuns extends RunArchive {
  /** Keeps a run, replacing its earlier report, and deletes old ones. Throws what the disk throws. */
  keep(report: RunReport): Promise<void>;
}

/**
 * Runs as files in `folder`, made when needed and readable by its owner only. Several processes may use it: a file is
 * there whole or not at all. Unreadable files are skipped with a `warn`.
 */
export function createKeptRuns(folder: string, warn: (sentence: string) => void): KeptRuns {
  const all = async () =>
    (await readdir(folder).catch(noneThere))
      .filter((name) => NAME.test(name))
      .sort()
      .reverse();

  /** Warns and gives undefined for what is no run; undefined without a warning when another process deleted it. */
  async function read(name: string): Promise<RunReport | undefined> {
    const file = path.join(folder, name);
    const text = await readOwn(file);
    if (text === undefined) return undefined;
    const parsed = parseJson(text, LARGEST_RECORD);
    if (parsed.fault !== undefined) {
      const why = parsed.fault.startsWith("it is not valid JSON")
        ? "It is not JSON."
        : `${parsed.fault.replace(/^it/, "It")}.`;
      warn(`${file} holds no run that can be read, and is left out. ${why}`);
      return undefined;
    }
    try {
      if (readRun(parsed.value)) return parsed.value as RunReport;
      warn(`${file} holds no run, and is left out.`);
    } catch (error) {
      if (!isMagisError(error)) throw error;
      warn(`${file} holds no run that can be read, and is left out. ${error.message}`);
    }
    return undefined;
  }

  return {
    async keep(report) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // It may have existed before, open to others.
      await chmod(folder, 0o700);
      const own = `${report.requestedAt.replace(/[:.]/g, "-")}-${hashOf(report.id)}.json`;
      await writeWhole(path.join(folder, own), `${JSON.stringify(report)}\n`);
      const others = (await all()).filter((name) => name !== own);
      const oldest = new Date(Date.now() - MAX_DAYS * DAY_MS).toISOString();
      const drafts = (await readdir(folder)).filter((name) => DRAFT.test(name) && name.slice(1) < oldest);
      const gone = others.filter((name, at) => at >= MOST - 1 || name < oldest);
      for (const name of [...gone, ...drafts]) await rm(path.join(folder, name), { force: true });
    },
    async report(runId) {
      const name = (await all()).find((one) => one.endsWith(`-${hashOf(runId)}.json`));
      const found = name === undefined ? undefined : await read(name);
      return found?.id === runId ? found : undefined;
    },
    async latestReport(repository, number) {
      const wanted = repositoryName(repository).toLowerCase();
      for (const name of await all()) {
        const found = await read(name);
        if (found?.number === number && found.repository.toLowerCase() === wanted) return found;
      }
      return undefined;
    },
    async latest(most) {
      const found: RunSummary[] = [];
      for (const name of await all()) {
        if (found.length >= most) break;
        const report = await read(name);
        if (report) found.push(summaryOf(report));
      }
      return found;
    },
  };
}

const hashOf = (id: string) => createHash("sha256").update(id).digest("hex").slice(0, 32);

function noneThere(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

function summaryOf(report: RunReport): RunSummary {
  const { id, repository, number, title, requestedAt, state } = readRun(report) ?? { ...report, state: undefined };
  const { result, spend } = state ?? {};
  return {
    id,
    repository,
    number,
    title,
    requestedAt,
    end: result?.kind,
    standing: statusOf(state, requestedAt),
    pullRequest: result?.kind === "published" ? result.pullRequest?.number : undefined,
    money: spend?.money ?? 0,
  };
}

/** A file's text; "" for anything but a regular file, such as a link or a pipe; undefined when it is gone. */
async function readOwn(file: string): Promise<string | undefined> {
  try {
    const { size } = await lstat(file);
    if (size > LARGEST_RECORD.length) return "";
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      return (await handle.stat()).isFile() ? await handle.readFile("utf8") : "";
    } finally {
      await handle.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "";
  }
}
