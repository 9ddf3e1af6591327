import pMap from "p-map";
import { type Custodian, createCustodian, type SummarisedFile } from "../../agents/custodian.ts";
import type { IssueSnapshot } from "../../domain/issue/issue-snapshot.ts";
import type { Candidate } from "../../domain/plan/candidate.ts";
import { indexTree } from "../../domain/ranking/index-tree.ts";
import type { TokenCache } from "../../domain/ranking/token-cache.ts";
import type { RepositoryId } from "../../domain/run/repository-id.ts";
import type { CommitDesk } from "../../ports/code-host/commit-desk.ts";
import type { EvolutionMemory } from "../../ports/evolution-memory.ts";
import type { Repository } from "../../ports/repository.ts";
import type { PromptRunner } from "../../prompts/prompt-runner.ts";
import type { PathPolicy } from "../../settings/create-path-policy.ts";
import type { RunSettings } from "../run-tools.ts";
import type { Tracker } from "../tracker.ts";
import { findCandidates } from "./find-candidates.ts";
import { type SummarySource, summariseFile } from "./summarise-file.ts";

/** Calls of one phase that may be under way together. */
const AT_ONCE = 4;
/** How many files one P3 call judges; in the paper's form it is one. */
const JUDGED_TOGETHER = 16;
/** How many of the best-ranked files stay when P3 drops them all: a run does not die of an over-eager filter. */
const KEPT_AT_LEAST = 3;

interface Locating {
  readonly issue: IssueSnapshot;
  readonly repositoryId: RepositoryId;
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly memory: EvolutionMemory;
  readonly host: Pick<CommitDesk, "readBlob">;
  readonly tokenCache: TokenCache;
  readonly settings: Pick<RunSettings, "candidates" | "profile" | "ablate">;
  readonly policy: Pick<PathPolicy, "ignored">;
  readonly tracker: Pick<Tracker, "detail">;
  record(part: string, value: unknown): Promise<void>;
}

/**
 * Algorithm 1, locating: ranks the repository against the issue, summarises the top `limit` files through the evolution
 * memory (P1, P2), and lets the Custodian drop those that do not matter (P3). Gives the candidates in ranked order.
 */
export async function locateFiles(deps: Locating): Promise<readonly Candidate[]> {
  const { issue, repository, tokenCache, settings, policy, tracker, record } = deps;
  const custodian = createCustodian(deps.prompts);
  const memory = settings.ablate.includes("memory") ? undefined : deps.memory;
  const tree = await indexTree({
    entries: [...repository.entries.values()].filter(({ path }) => !policy.ignored(path)),
    readBlob: (blob) => repository.readBlob(blob),
    cache: tokenCache,
  });
  const ranked = await findCandidates({
    ...{ issue, files: tree.files, limit: settings.candidates },
    custodian: settings.ablate.includes("map") || settings.profile === "paper" ? undefined : custodian,
  });
  await tracker.detail(`${tree.files.length} of ${repository.entries.size} files searched`);

  const summarised = await pMap(
    ranked,
    async (file) => ({
      ...file,
      ...(await summariseFile(
        { ...deps, custodian, memory },
        { ...file, content: await repository.readBlob(file.blob) },
      )),
    }),
    { concurrency: AT_ONCE },
  );
  const verdicts = await judge(custodian, issue, summarised, settings.profile === "paper" ? 1 : JUDGED_TOGETHER);
  const relevant = summarised.filter((_, index) => verdicts[index]?.relevant);
  const kept = relevant.length > 0 ? relevant : summarised.slice(0, KEPT_AT_LEAST);
  await record("candidates", {
    judged: summarised.map((file, index) => ({ ...file, ...verdicts[index] })),
    ...(relevant.length === 0 &&
      summarised.length > 0 && { note: "The Custodian judged no file to be relevant; the best-ranked were kept." }),
  });
  await tracker.detail(`${tree.files.length} files searched, ${ranked.length} looked at, ${kept.length} kept`);
  return kept.map(({ path, blob, score, reasons, summary }) => ({ path, blob, score, reasons, summary }));
}

async function judge(
  custodian: Custodian,
  issue: IssueSnapshot,
  files: readonly (SummarisedFile & { source: SummarySource })[],
  together: number,
) {
  const groups = Array.from({ length: Math.ceil(files.length / together) }, (_, at) =>
    files.slice(at * together, (at + 1) * together),
  );
  const judged = await pMap(groups, (group) => custodian.judgeRelevance(issue, group), { concurrency: AT_ONCE });
  return judged.flat();
}
