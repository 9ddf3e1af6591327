import { z } from "zod";

const verdict = z.union([z.boolean(), z.looseObject({ resolved: z.boolean(), skipped: z.string().optional() })]);
const ids = z.array(z.string());
const listed = z.looseObject({ resolved_ids: ids.optional(), resolved: ids.optional() });

/** By instance id: whether it is resolved. */
export type Grading = ReadonlyMap<string, boolean>;

/**
 * Reads what a grader says, as JSON: `{"resolved_ids": [id, …]}` and `{"resolved": [id, …]}` as the official harness's
 * reports have it, `{id: {"resolved": true, …}}` as its instance reports have it, or `{id: true}`. In the first two forms
 * an id of `submitted_ids` or `completed_ids` (or of `asked`, where these are missing) that is not listed is not resolved.
 * An instance with a `skipped` reason was not graded. Undefined when it is none of these.
 */
export function parseGrading(source: string, asked: readonly string[]): Grading | undefined {
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return undefined;
  }
  const lists = listed.safeParse(data);
  const resolved = lists.data?.resolved_ids ?? lists.data?.resolved;
  if (resolved) {
    const among = z.looseObject({ submitted_ids: ids.optional(), completed_ids: ids.optional() }).safeParse(data).data;
    const graded = among?.submitted_ids ?? among?.completed_ids ?? asked;
    return new Map([...graded, ...resolved].map((id) => [id, resolved.includes(id)]));
  }
  const each = z.record(z.string(), verdict).safeParse(data);
  if (!each.success) return undefined;
  return new Map(
    Object.entries(each.data).flatMap(([id, one]) => {
      if (typeof one === "boolean") return [[id, one] as const];
      return one.skipped === undefined ? [[id, one.resolved] as const] : [];
    }),
  );
}
