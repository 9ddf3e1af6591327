import { createSourceParser } from "../../src/code/tree-sitter/source-parser.ts";
import type { PromptLibrary } from "../../src/models/prompt-library.ts";
import { TokenCache } from "../../src/search/token-cache.ts";
import type { Fix } from "../recall/list-fixes.ts";
import type { Count } from "./create-counting-model.ts";
import { createMapMemory } from "./create-map-memory.ts";
import { askAboutWhole, type Located, locateIssue } from "./locate-issue.ts";
import { openCommit } from "./open-commit.ts";

/** One issue of the sequence, asked about in each way. */
export interface Measure {
  fix: Fix;
  /** the product as it is: all files in one call, with memory */
  memory: Located;
  withoutMemory: Located;
  /** the paper's form: P1 or P2, which reads the whole file, and P3 for each file, with a memory of its own */
  paper: Located;
  /** each of `memory`'s candidates whole, in a call of its own */
  whole: Count;
}

/** Works through the fixes in their order, one memory for each way that has one. */
export async function measureIssues(input: {
  mirror: string;
  fixes: readonly Fix[];
  prompts: PromptLibrary;
  candidates: number;
}): Promise<Measure[]> {
  const tokenCache = new TokenCache({ mostBytes: 4 * 2 ** 30 });
  const parser = createSourceParser();
  const [lean, papers] = [createMapMemory(), createMapMemory()];
  const measures: Measure[] = [];
  for (const fix of input.fixes) {
    const commit = await openCommit(input.mirror, fix.parent, tokenCache);
    const asking = { fix, commit, tokenCache, parser, prompts: input.prompts, candidates: input.candidates };
    const memory = await locateIssue({ ...asking, memory: lean, profile: "lean", ablate: [] });
    const withoutMemory = await locateIssue({ ...asking, memory: lean, profile: "lean", ablate: ["memory"] });
    const paper = await locateIssue({ ...asking, memory: papers, profile: "paper", ablate: [] });
    const whole = await askAboutWhole(asking, memory.judged);
    measures.push({ fix, memory, withoutMemory, paper, whole });
  }
  return measures;
}
