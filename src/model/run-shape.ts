import { z } from "zod";
import { lenient } from "./lenient.ts";

const { text, number, maybe, list } = lenient;

const usageShape = z.object({ input: number, cacheWrite: number, cacheRead: number, output: number });

const callShape = z.object({
  promptId: z.string(),
  tier: text,
  answer: maybe(z.object({ model: text, stop: text, usage: usageShape })),
  tokens: number,
  money: number,
  elapsed: number,
  began: maybe(z.number()),
  failure: maybe(z.string()),
});

const resultShape = z.object({
  kind: z.string(),
  reason: text,
  message: text,
  code: text,
  limit: text,
  phase: text,
  by: text,
  patch: text,
  openThreads: number,
  pullRequest: maybe(z.object({ number: z.number(), url: text })),
  finished: list(z.string()),
  unfinished: list(z.string()),
  undone: list(z.string()),
});

const stateShape = z.object({
  phases: list(z.object({ name: z.string(), status: text, detail: text })),
  tasks: list(z.object({ id: text, path: text, title: text, status: text })),
  spend: maybe(z.object({ calls: number, tokens: number, money: number, elapsed: number })),
  resumed: number,
  pullRequest: maybe(z.object({ number: z.number(), url: text })),
  followUps: list(z.object({ what: text, outcome: text, open: number, money: number })),
  result: maybe(resultShape),
});

const recordShape = z.record(z.string(), z.unknown());

/** A RunReport as it is shown. Only what makes it one has to be there. */
export const runShape = z.object({
  id: z.string(),
  repository: text,
  number: maybe(z.number()),
  title: text,
  requestedAt: text,
  state: maybe(stateShape),
  record: recordShape,
  calls: z.array(z.unknown()).pipe(list(callShape)),
});

export type ShownRun = z.infer<typeof runShape>;
export type ShownCall = z.infer<typeof callShape>;
export type ShownResult = z.infer<typeof resultShape>;
