import type { TokenUsage } from "./spend.ts";

/** What a span is about. Never a text of an issue, a file or a model, and no secret: adapters pass on these facts only. */
export type SpanFacts =
  /** `run`: the id that attempts and later processes share, so that all are one trace */
  | { kind: "run"; run: string; work: string }
  | { kind: "step"; name: string }
  | { kind: "phase"; name: string }
  | { kind: "model call"; prompt: string; tier: string }
  /** `route`: the path with names and numbers left out */
  | { kind: "GitHub request"; method: string; route: string };

/** What is known of it at its end. */
export interface SpanEnd {
  /** a run's result */
  outcome?: string;
  model?: string;
  usage?: TokenUsage;
  /** US dollars */
  money?: number;
  /** of an HTTP answer */
  status?: number;
}

/** Traces of runs. Nothing here throws but what `body` throws. */
export interface Traces {
  /** Runs `body` in a span, inside of the one it is called in. `end` adds what is known at its end. */
  span<T>(facts: SpanFacts, body: (end: (facts: SpanEnd) => void) => Promise<T>): Promise<T>;
  /** The ids of the span at work, for log lines. */
  active(): { trace_id?: string; span_id?: string };
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

/** `body` in a span, or just `body` where nothing is traced. */
export function inSpan<T>(
  traces: Traces | undefined,
  facts: SpanFacts,
  body: (end: (facts: SpanEnd) => void) => Promise<T>,
): Promise<T> {
  return traces ? traces.span(facts, body) : body(() => undefined);
}
