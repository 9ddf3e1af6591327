import type { SourceParser } from "../../src/code/source-parser.ts";
import { readRecord } from "../../src/data/read-record.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import { criticalPath } from "../../src/data/spend.ts";
import type { RecordedCall } from "../../src/models/language-model.ts";
import { lookupsIn } from "../../src/models/language-model.ts";
import { counted } from "../../src/text/counted.ts";
import type { Mirror } from "../mirror.ts";
import type { Solved } from "./evaluating.ts";
import { digestOf, type Instance } from "./instances.ts";
import type { Baselines } from "./measures/baselines.ts";
import { type InstanceMetrics, measuredParts, sumByName } from "./measures/metrics.ts";
import { type PatchFile, parsePatch } from "./measures/patch.ts";
import {
  type Complexity,
  changedLines,
  complexityOf,
  countFunctions,
  goldFiles,
  lineLocatingCoverage,
} from "./measures/patch-measures.ts";

interface MeasureInput {
  instance: Instance;
  solved: Solved;
  /** milliseconds from the beginning to the end of the run */
  wallMs: number;
  mirror: Mirror;
  parser: Pick<SourceParser, "symbols">;
  /** undefined: the files were given, so nothing was located */
  baselines: Baselines | undefined;
  correlation: InstanceMetrics["correlation"];
}

interface PatchInput {
  mirror: Mirror;
  parser: Pick<SourceParser, "symbols">;
}

/** The figures that need only a patch. Throws what the mirror throws. */
export async function measurePatch(
  instance: Instance,
  patch: string,
  { mirror, parser }: PatchInput,
): Promise<Pick<InstanceMetrics, "id" | "repository" | "baseCommit" | "digest" | "patch" | "coverage" | "complexity">> {
  const [reference, generated] = [parsePatch(instance.patch), parsePatch(patch)];
  const coverage = lineLocatingCoverage(reference, generated);
  const oldTexts = await readOldTexts([...reference, ...generated], instance.baseCommit, mirror);
  const complexity = async (files: readonly PatchFile[]): Promise<Complexity | null> => {
    if (files.length === 0) return null;
    const texts = (file: PatchFile) => (file.oldPath === undefined ? undefined : oldTexts.get(file.oldPath));
    return complexityOf(files, await Promise.all(files.map((file) => countFunctions(file, texts(file), parser))));
  };
  return {
    id: instance.id,
    repository: instance.repository,
    baseCommit: instance.baseCommit,
    digest: digestOf(instance),
    patch: await checkedPatch(instance, patch, mirror),
    coverage: { ...coverage, ratio: coverage.ratio ?? null },
    complexity: { reference: await complexity(reference), generated: await complexity(generated) },
  };
}

/** All figures of one solved instance. Throws what the mirror throws. */
export async function measureInstance(deps: MeasureInput): Promise<InstanceMetrics> {
  const { instance, solved, baselines } = deps;
  return {
    ...(await measurePatch(instance, solved.patch, deps)),
    end: endOfResult(solved.result),
    recall: baselines
      ? {
          gold: [...goldFiles(parsePatch(instance.patch))],
          custodian: [...measuredParts(solved.report.record).located],
          bm25: [...baselines.bm25],
          lunr: [...baselines.lunr],
          ranking: [...baselines.ranking],
          corpus: baselines.corpus,
        }
      : null,
    spend: spendOfCalls(solved.report.calls, deps.wallMs),
    check: checkOf(solved),
    correlation: deps.correlation,
  };
}

function checkOf({ report, unchecked = "" }: Solved): InstanceMetrics["check"] {
  const { check } = readRecord(report.record);
  if (!check) return null;
  const { base, tests = null, end, rounds } = check;
  return { base, tests, end, rounds, unchecked };
}

/** Applied ratio: whether `git apply --check` accepts the change on the base commit. */
async function checkedPatch(instance: Instance, patch: string, mirror: Mirror): Promise<InstanceMetrics["patch"]> {
  if (patch.trim() === "") {
    const nothingToDo = instance.patch.trim() === "";
    return { empty: true, applied: nothingToDo ? null : false, refusal: null };
  }
  const refusal = await mirror.refusalOf(instance.baseCommit, patch);
  return { empty: false, applied: refusal === undefined, refusal: refusal ?? null };
}

/** The base commit's text of the files with changed lines. */
async function readOldTexts(
  files: readonly PatchFile[],
  commit: string,
  mirror: Mirror,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(files.filter((file) => changedLines(file).size > 0).map(({ oldPath }) => oldPath));
  const entries = (await mirror.entries(commit)).filter(({ path, mode }) => wanted.has(path) && mode.startsWith("100"));
  const texts = new Map<string, string>();
  await mirror.readBlobs([...new Set(entries.map(({ blob }) => blob))], (blob, content) => {
    const text = new TextDecoder().decode(content);
    for (const { path } of entries.filter((entry) => entry.blob === blob)) texts.set(path, text);
  });
  return texts;
}

/** How a run ended, and why, in a sentence. */
function endOfResult(result: RunResult): { kind: string; reason: string } {
  const { kind } = result;
  if (kind === "dry-run") {
    const { openComments: open } = result;
    const comments = `${counted(open, "QA comment")} stayed open`;
    return { kind: "change", reason: open === 0 ? "" : comments };
  }
  if (kind === "failed") return { kind, reason: `${result.code}: ${result.message}` };
  if (kind === "budget-reached") return { kind, reason: `the limit of ${result.limit}, in the phase ${result.phase}` };
  return { kind, reason: "reason" in result ? result.reason : "" };
}

type Spend = InstanceMetrics["spend"];

/**
 * What a run's calls used; failed calls count with their cost. `lookups`: tool calls that looked something up.
 * `sequentialCalls` and `criticalMs`: the longest chain of calls one after another. `wallMs`: the whole run, as
 * measured.
 */
export function spendOfCalls(calls: readonly RecordedCall[], wallMs: number): Spend {
  const sum = (figure: (call: RecordedCall) => number | undefined) =>
    calls.reduce((total, call) => total + (figure(call) ?? 0), 0);
  const sumsBy = (name: (call: RecordedCall) => string | undefined) =>
    sumByName(
      calls.flatMap((call) => {
        const [key, { tokens, money, elapsed }] = [name(call), call];
        return key === undefined ? [] : [[key, { calls: 1, tokens, money, elapsedMs: elapsed }] as const];
      }),
    );
  const path = criticalPath(calls);
  return {
    calls: calls.length,
    failedCalls: calls.filter(({ failure }) => failure !== undefined).length,
    input: sum(({ answer }) => answer?.usage.input),
    cacheWrite: sum(({ answer }) => answer?.usage.cacheWrite),
    cacheRead: sum(({ answer }) => answer?.usage.cacheRead),
    output: sum(({ answer }) => answer?.usage.output),
    tokens: sum(({ tokens }) => tokens),
    money: sum(({ money }) => money),
    wallMs: Math.round(wallMs),
    sequentialCalls: path.calls,
    criticalMs: Math.round(path.elapsed),
    lookups: sum(({ answer }) => lookupsIn(answer?.blocks ?? []).length),
    models: [...new Set(calls.flatMap(({ answer }) => answer?.model ?? []))].sort(),
    byPrompt: sumsBy(({ promptId }) => promptId),
    byEffort: sumsBy(({ answer }) => answer?.effort),
  };
}
