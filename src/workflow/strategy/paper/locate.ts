import pMap from "p-map";
import { unifiedDiff } from "../../../edits/diff.ts";
import type { RepositoryId } from "../../../model/run-request.ts";
import type { CommitApi } from "../../../ports/code-host.ts";
import type { EvolutionMemory } from "../../../ports/evolution-memory.ts";
import type { JudgedFile, LocateInput, Pool, SummarySource } from "../../run/strategy.ts";
import { createPaperCustodian, type PaperCustodian } from "./agents.ts";

/** Calls of one phase that may be under way together. */
const AT_ONCE = 4;

/** Algorithm 1, lines 3 to 18, as the paper has it: each file is summarised through the memory (P1, P2) and judged (P3). */
export function shortlistOneByOne(deps: LocateInput, { pool }: Pick<Pool, "pool">): Promise<readonly JudgedFile[]> {
  const custodian = createPaperCustodian(deps.prompts);
  const memory = deps.settings.ablate.includes("memory") ? undefined : deps.memory;
  return pMap(
    pool,
    async (file) => {
      const content = await deps.repository.readBlob(file.blob);
      const { summary, source } = await summariseFile({ ...deps, custodian, memory }, { ...file, content });
      const [verdict] = await custodian.judgeRelevance(deps.issue, [{ ...file, summary }]);
      return {
        ...{ path: file.path, blob: file.blob, score: file.score, reasons: file.reasons, summary, source },
        ...{ relevant: verdict?.relevant ?? false, reason: verdict?.reason ?? "" },
      };
    },
    { concurrency: AT_ONCE },
  );
}

/** A file is read whole, up to here; the cut is visible to the model. */
const MAX_CHARACTERS = 200_000;

/** What Algorithm 1 works with for one file. */
export interface SummariseInput {
  readonly repositoryId: RepositoryId;
  readonly custodian: PaperCustodian;
  /** undefined: nothing is remembered, every file is summarised anew */
  readonly memory: EvolutionMemory | undefined;
  /** the remembered version's content comes from the host: no source code is kept */
  readonly host: Pick<CommitApi, "readBlob">;
}

/**
 * Algorithm 1, lines 4 to 14: the summary of a file's version. The same version costs no call; a remembered earlier one
 * is brought up to date by a commit message for the difference (P1); else the file is summarised (P2).
 * The summary is remembered under the version's blob id.
 */
async function summariseFile(
  { repositoryId, custodian, memory, host }: SummariseInput,
  file: { readonly path: string; readonly blob: string; readonly content: Uint8Array },
): Promise<{ summary: string; source: SummarySource }> {
  const text = Buffer.from(file.content).toString("utf8");
  const known = await memory?.recall(repositoryId, file.path, file.blob);
  const usable = known !== undefined && known.summary.length < text.length ? known : undefined;
  if (usable?.blob === file.blob) {
    await memory?.update(repositoryId, { path: file.path, blob: file.blob, summary: usable.summary });
    return { summary: usable.summary, source: "remembered" };
  }
  const earlier = usable && (await host.readBlob(usable.blob));
  const diff = earlier && unifiedDiff(file.path, earlier, file.content);
  const shown = clip(text);
  // Summarising anew is the better bargain when the difference is longer than what would be read.
  const update = usable && diff !== undefined && diff.length <= shown.length;
  const summary = update
    ? `${usable.summary}\n${await custodian.summariseChange(file.path, usable.summary, diff)}`
    : await custodian.summariseFile(file.path, shown);
  await memory?.update(repositoryId, { path: file.path, blob: file.blob, summary });
  return { summary, source: update ? "updated (P1)" : "written (P2)" };
}

function clip(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}\n[the remaining ${text.length - MAX_CHARACTERS} characters of the file are not shown]`;
}
