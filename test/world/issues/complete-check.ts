import type { Fields } from "../state.ts";

/** A check run as emulate has it, plus where its annotations are. */
export function completeCheck(run: Fields & { url: string; output: Fields }): Fields {
  return { ...run, output: { ...run.output, annotations_url: `${run.url}/annotations` } };
}
