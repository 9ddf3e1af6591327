import type { Configuration } from "../results/result-folder.ts";

/** The condition of an evaluation as the paper's tables name it: `full`, `without qa and hints`, `full, files given`. */
export function conditionOf({ ablate, files, profile }: Configuration): string {
  const parts = Array.isArray(ablate) && ablate.length > 0 ? `without ${ablate.join(" and ")}` : "full";
  const given = files === "gold" ? ", files given" : files === "bm25" ? ", files by BM25" : "";
  return `${parts}${given}${profile === "paper" ? ", profile paper" : ""}`;
}
