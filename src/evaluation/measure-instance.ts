import type { Mirror } from "../ports/mirror.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import { digestOf } from "./digest-of.ts";
import { endOfResult } from "./end-of-result.ts";
import type { Instance } from "./instance.ts";
import { changedLines } from "./measures/changed-lines.ts";
import type { Complexity } from "./measures/complexity.ts";
import { complexityOf } from "./measures/complexity-of.ts";
import { countFunctions } from "./measures/count-functions.ts";
import { goldFiles } from "./measures/gold-files.ts";
import type { InstanceMetrics } from "./measures/instance-metrics.ts";
import { lineLocatingCoverage } from "./measures/line-locating-coverage.ts";
import { parsePatch } from "./measures/parse-patch.ts";
import type { PatchFile } from "./measures/patch-file.ts";
import type { Baselines } from "./measures/rank-baselines.ts";
import { readRecord } from "./measures/read-record.ts";
import type { Solved } from "./solve-instance.ts";
import { spendOfCalls } from "./spend-of-calls.ts";

interface MeasureInput {
  readonly instance: Instance;
  readonly solved: Solved;
  /** milliseconds from the beginning to the end of the run */
  readonly wallMs: number;
  readonly mirror: Mirror;
  readonly parser: Pick<SourceParser, "symbols">;
  /** undefined: the files were given, and nothing was to be located */
  readonly baselines: Baselines | undefined;
  readonly correlation: InstanceMetrics["correlation"];
}

/** All figures of one solved instance. Throws what the mirror throws. */
export async function measureInstance(deps: MeasureInput): Promise<InstanceMetrics> {
  const { instance, solved, mirror, baselines } = deps;
  const [reference, generated] = [parsePatch(instance.patch), parsePatch(solved.patch)];
  const coverage = lineLocatingCoverage(reference, generated);
  const oldTexts = await readOldTexts([...reference, ...generated], instance.baseCommit, mirror);
  const complexity = async (files: readonly PatchFile[]): Promise<Complexity | null> => {
    if (files.length === 0) return null;
    const texts = (file: PatchFile) => (file.oldPath === undefined ? undefined : oldTexts.get(file.oldPath));
    return complexityOf(files, await Promise.all(files.map((file) => countFunctions(file, texts(file), deps.parser))));
  };
  return {
    ...{ id: instance.id, repository: instance.repository, baseCommit: instance.baseCommit },
    digest: digestOf(instance),
    end: endOfResult(solved.result),
    patch: await checkedPatch(instance, solved.patch, mirror),
    recall: baselines
      ? {
          ...{ gold: [...goldFiles(reference)], custodian: [...readRecord(solved.report.record).located] },
          ...{ bm25: [...baselines.bm25], ranking: [...baselines.ranking], corpus: baselines.corpus },
        }
      : null,
    coverage: { ...coverage, ratio: coverage.ratio ?? null },
    complexity: { reference: await complexity(reference), generated: await complexity(generated) },
    spend: spendOfCalls(solved.report.calls, deps.wallMs),
    correlation: deps.correlation,
  };
}

/** Applied ratio: whether `git apply --check` takes the change on the base commit. */
async function checkedPatch(instance: Instance, patch: string, mirror: Mirror): Promise<InstanceMetrics["patch"]> {
  if (patch.trim() === "") {
    const nothingToDo = instance.patch.trim() === "";
    return { empty: true, applied: nothingToDo ? null : false, refusal: null };
  }
  const refusal = await mirror.refusalOf(instance.baseCommit, patch);
  return { empty: false, applied: refusal === undefined, refusal: refusal ?? null };
}

/** The base commit's text of the files that have changed lines. */
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
