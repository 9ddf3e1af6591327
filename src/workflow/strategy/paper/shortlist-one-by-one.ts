import pMap from "p-map";
import type { JudgedFile, LocateInput, PooledFile } from "../../run/locating.ts";
import type { Custodian } from "./custodian.ts";
import { summariseFile } from "./summarise-file.ts";

/** Calls of one phase that may be under way together. */
const AT_ONCE = 4;

/** Algorithm 1, lines 3 to 18, as the paper has it: each file is summarised through the memory (P1, P2) and judged (P3). */
export function shortlistOneByOne(
  deps: LocateInput,
  custodian: Custodian,
  pool: readonly PooledFile[],
): Promise<readonly JudgedFile[]> {
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
