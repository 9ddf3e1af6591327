import type { Candidate } from "../../model/candidate.ts";
import type { PhaseTools } from "../run/create-phase-runner.ts";

/** The candidates of a run that is told its files: those that exist, in the order given; nobody judges them. */
export async function givenCandidates(
  files: readonly string[],
  { repository, tracker, record }: Pick<PhaseTools, "repository" | "tracker" | "record">,
): Promise<readonly Candidate[]> {
  const reasons = ["given"];
  const candidates = [...new Set(files)].flatMap((path) => {
    const blob = repository.entries.get(path)?.blob;
    return blob === undefined ? [] : [{ path, blob, score: 0, reasons, summary: "" }];
  });
  const judged = candidates.map((one) => ({ ...one, source: "given", relevant: true, reason: "It was given." }));
  await record("candidates", { judged });
  await tracker.detail(candidates.length === 1 ? "one file given" : `${candidates.length} files given`);
  return candidates;
}
