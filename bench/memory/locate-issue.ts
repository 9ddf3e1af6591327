import { createPaperCustodian } from "../../src/agents/paper/agents.ts";
import { locateFiles } from "../../src/agents/phases.ts";
import type { SourceParser } from "../../src/code/source-parser.ts";
import type { IssueSnapshot } from "../../src/data/discussion.ts";
import type { RecordParts } from "../../src/data/run-record.ts";
import type { Ablation, RunSettings } from "../../src/data/settings.ts";
import type { PromptLibrary } from "../../src/models/prompt-library.ts";
import { createPromptRunner } from "../../src/models/prompt-runner.ts";
import type { EvolutionMemory } from "../../src/run/evolution-memory.ts";
import type { TokenCache } from "../../src/search/token-cache.ts";
import type { Fix } from "../recall/list-fixes.ts";
import { type Count, createCountingModel } from "./create-counting-model.ts";
import type { OpenedCommit } from "./open-commit.ts";
import { scriptedAnswer } from "./scripted-answers.ts";

/** One way of asking about one issue: what it cost, and how many of the files were known. */
export interface Located extends Count {
  /** the candidates that the Custodian judged */
  judged: RecordParts["candidates"]["judged"];
  /** how many of them were shown by their remembered summary alone */
  remembered: number;
  /** how many by the summary of an earlier version, and what has changed since */
  updated: number;
}

interface Question {
  fix: Fix;
  commit: OpenedCommit;
  prompts: PromptLibrary;
}

interface LocateInput extends Question {
  tokenCache: TokenCache;
  parser: SourceParser;
  memory: EvolutionMemory;
  profile: RunSettings["profile"];
  ablate: readonly Ablation[];
  candidates: number;
}

/** The product's own locating with a counting model. */
export async function locateIssue(asking: LocateInput): Promise<Located> {
  const { fix, commit, tokenCache, parser, memory, profile, ablate, candidates } = asking;
  const counting = createCountingModel(scriptedAnswer);
  const record: Partial<RecordParts> = {};
  // Only what locating works with.
  const run = {
    issue: issueOf(fix),
    request: { repository: { owner: "bench", name: "bench", installationId: 1 } },
    repository: commit.repository,
    prompts: createPromptRunner(asking.prompts, counting.model, new AbortController().signal),
    memory,
    tokenCache,
    parser,
    host: commit,
    settings: { profile, ablate },
    candidates,
    policy: { ignored: () => false },
    tracker: { detail: async () => undefined, conclude: async () => undefined },
    async record(part: string, value: unknown) {
      Object.assign(record, { [part]: value });
    },
  };
  await locateFiles(run as unknown as Parameters<typeof locateFiles>[0]);
  const judged = record.candidates?.judged ?? [];
  const from = (source: string) => judged.filter((file) => file.source === source).length;
  return { ...counting.counted(), judged, remembered: from("remembered"), updated: from("updated (P1)") };
}

/** The same candidates, each asked about by a call of its own that shows the whole file. */
export async function askAboutWhole(asking: Question, files: RecordParts["candidates"]["judged"]): Promise<Count> {
  const counting = createCountingModel(scriptedAnswer);
  const runner = createPromptRunner(asking.prompts, counting.model, new AbortController().signal);
  const custodian = createPaperCustodian(runner);
  for (const { path, blob, reasons } of files) {
    const summary = Buffer.from(await asking.commit.repository.readBlob(blob)).toString("utf8");
    await custodian.judgeRelevance(issueOf(asking.fix), [{ path, reasons, summary }]);
  }
  return counting.counted();
}

function issueOf({ title, body }: Fix): IssueSnapshot {
  return { number: 1, title, body, author: "bench", url: "https://example.com/1", discussion: [], hint: "" };
}
