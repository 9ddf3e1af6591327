import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type RepositoryId, repositoryName } from "../../src/data/run-request.ts";
import type { EvolutionMemory } from "../../src/run/evolution-memory.ts";

/** The evolution memory of a whole evaluation (paper, 3.2.1). */
export interface EvaluationMemory {
  /**
   * The memory as an instance sees it whose commit was made at `time` (seconds since the epoch). It leaves out versions
   * of later commits, so that no instance learns from the fix of its own issue or of a later one.
   */
  before(time: number): EvolutionMemory;
}

const versionShape = z.object({
  repository: z.string(),
  path: z.string(),
  blob: z.string(),
  summary: z.string(),
  /** when its commit was made, in seconds since the epoch */
  time: z.number(),
});

type Version = z.output<typeof versionShape>;

/** A memory kept in `file`, one JSON line a version; skips a line that was cut off. */
export async function openEvaluationMemory(file: string): Promise<EvaluationMemory> {
  const written = await readFile(file, "utf8").catch(() => "");
  const versions = written.split("\n").flatMap((line) => versionOf(line) ?? []);
  // End a line that was cut off, so that the next one is whole.
  if (written !== "" && !written.endsWith("\n")) appendFileSync(file, "\n");
  return {
    before: (time) => ({
      async recall(repository, path, blob) {
        const name = nameOf(repository);
        const rank = (one: Version) => (one.blob === blob ? 2 : 0) + (one.path === path ? 1 : 0);
        const [best] = versions
          .filter((one) => one.repository === name && one.time <= time && rank(one) > 0)
          .sort((a, b) => rank(b) - rank(a) || b.time - a.time);
        return best && { path: best.path, blob: best.blob, summary: best.summary };
      },
      async update(repository, { path, blob, summary }) {
        const version = { repository: nameOf(repository), path, blob, summary, time };
        versions.push(version);
        appendFileSync(file, `${JSON.stringify(version)}\n`, { mode: 0o600 });
      },
      forget: async () => 0,
    }),
  };
}

const nameOf = (repository: RepositoryId) => repositoryName(repository).toLowerCase();

function versionOf(line: string): Version | undefined {
  try {
    return versionShape.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
