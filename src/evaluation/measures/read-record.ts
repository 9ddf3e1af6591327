import { z } from "zod";

const candidatesShape = z.object({
  judged: z.array(
    z.object({ path: z.string(), relevant: z.boolean().default(false), use: z.string().optional().catch(undefined) }),
  ),
  note: z.string().optional(),
});
const planShape = z.object({
  tasks: z.array(
    z.object({ path: z.string(), action: z.string(), title: z.string(), description: z.string().default("") }),
  ),
});

export type PlannedTask = z.output<typeof planShape>["tasks"][number];

/** How many files stay when the Custodian holds none of them to be relevant. */
const KEPT_AT_LEAST = 3;

/**
 * What the measures need of a run's record: the files that the Custodian located (those that may have to change first,
 * then those to be read), and the tasks of the plan. Parts that a run did not come to are empty lists.
 */
export function readRecord(record: Readonly<Record<string, unknown>>): {
  readonly located: readonly string[];
  readonly tasks: readonly PlannedTask[];
} {
  const judged = candidatesShape.safeParse(record.candidates).data?.judged ?? [];
  const relevant = judged.filter((file) => file.relevant);
  const kept = relevant.length > 0 ? relevant : judged.slice(0, KEPT_AT_LEAST);
  const located = [...kept.filter(({ use }) => use !== "read"), ...kept.filter(({ use }) => use === "read")];
  return {
    located: located.map(({ path }) => path),
    tasks: planShape.safeParse(record.plan).data?.tasks ?? [],
  };
}
