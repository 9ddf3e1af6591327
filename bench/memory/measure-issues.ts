import { TokenCache } from "../../src/domain/ranking/token-cache.ts";
import type { PromptLibrary } from "../../src/prompts/load-prompts.ts";
import type { Fix } from "../recall/list-fixes.ts";
import type { Count } from "./create-counting-model.ts";
import { createMapMemory } from "./create-map-memory.ts";
import { askAboutWhole, type Located, locateIssue } from "./locate-issue.ts";
import { openCommit } from "./open-commit.ts";

/** One issue of the sequence, asked about in each way. */
export interface Measure {
  readonly fix: Fix;
  /** the product as it is: map and memory */
  readonly withMap: Located;
  readonly withoutMemory: Located;
  /** each of `withMap`'s candidates whole */
  readonly whole: Count;
  readonly withoutMap: Located;
  /** each of `withoutMap`'s candidates whole */
  readonly wholeWithoutMap: Count;
}

/** Works through the fixes in their order, one memory for each way that has one. */
export async function measureIssues(input: {
  readonly mirror: string;
  readonly fixes: readonly Fix[];
  readonly prompts: PromptLibrary;
  readonly candidates: number;
}): Promise<Measure[]> {
  const tokenCache = new TokenCache({ mostBytes: 4 * 2 ** 30 });
  const [memory, memoryWithoutMap] = [createMapMemory(), createMapMemory()];
  const measures: Measure[] = [];
  for (const fix of input.fixes) {
    const commit = await openCommit(input.mirror, fix.parent, tokenCache);
    const asking = { fix, commit, tokenCache, prompts: input.prompts, candidates: input.candidates };
    const withMap = await locateIssue({ ...asking, memory, ablate: [] });
    const withoutMemory = await locateIssue({ ...asking, memory, ablate: ["memory"] });
    const whole = await askAboutWhole(asking, withMap.judged);
    const withoutMap = await locateIssue({ ...asking, memory: memoryWithoutMap, ablate: ["map"] });
    const wholeWithoutMap = await askAboutWhole(asking, withoutMap.judged);
    measures.push({ fix, withMap, withoutMemory, whole, withoutMap, wholeWithoutMap });
  }
  return measures;
}
