import { createHash, randomBytes } from "node:crypto";
import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import { isMagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import type { SpanEnd, SpanFacts, Traces } from "../data/traces.ts";

export interface OpenTelemetryOptions {
  /** where spans go, by OTLP over HTTP with protobuf: the whole address, such as `http://localhost:4318/v1/traces` */
  url: string;
  headers: Readonly<Record<string, string>>;
  resource: Readonly<Record<string, string>>;
  sampler: "always_on" | "always_off" | "traceidratio";
  /** for `traceidratio`, from 0 to 1 */
  ratio: number;
  /** the model's provider, in the words of OpenTelemetry's conventions for generative AI */
  provider: string;
  log: Log;
}

const EXPORT_TIMEOUT_MS = 10_000;

const CLOSE_MS = 3_000;

/**
 * Traces by OpenTelemetry. A trace is a run: its id is made of the run's, so that what several attempts and processes do
 * for a run is found together. A collector that is away costs nothing but its spans: the queue is bounded, and one log
 * line says so.
 */
export function createOpenTelemetry(options: OpenTelemetryOptions): Traces {
  const { url, headers, resource, provider: system, log } = options;
  const exporter = withWarning(
    new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT_MS }),
    log,
  );
  let nextTrace: string | undefined;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ ...resource }),
    sampler: samplerOf(options),
    // Taken in the same turn of the loop as it is set: starting a span is synchronous.
    idGenerator: {
      generateTraceId: () => nextTrace ?? randomBytes(16).toString("hex"),
      generateSpanId: () => randomBytes(8).toString("hex"),
    },
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  const tracer = provider.getTracer("magis");

  function start(facts: SpanFacts): Span {
    const { name, kind, attributes } = shown(facts, system);
    nextTrace = facts.kind === "run" ? traceIdOf(facts.run) : undefined;
    const span = tracer.startSpan(name, { kind, attributes, root: facts.kind === "run" });
    nextTrace = undefined;
    return span;
  }

  return {
    async span(facts, body) {
      const span = start(facts);
      try {
        return await context.with(trace.setSpan(context.active(), span), () =>
          body((end) => span.setAttributes(endOf(end))),
        );
      } catch (error) {
        // A message may quote what people wrote.
        const name = error instanceof Error ? error.name : "unknown";
        span.setAttribute("error.type", isMagisError(error) ? error.code : name);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    active() {
      const found = trace.getSpan(context.active())?.spanContext();
      return found ? { trace_id: found.traceId, span_id: found.spanId } : {};
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      context.disable();
    },
  };
}

/** The trace of a run, whichever process works on it. */
export const traceIdOf = (run: string) => createHash("sha256").update(run).digest("hex").slice(0, 32);

function samplerOf({ sampler, ratio }: Pick<OpenTelemetryOptions, "sampler" | "ratio">): Sampler {
  if (sampler === "always_off") return new AlwaysOffSampler();
  return sampler === "always_on" ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Logs the first batch that cannot be sent, and the first one after that which can. */
function withWarning(exporter: OTLPTraceExporter, log: Log): OTLPTraceExporter {
  let isAway = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const failed = result.code !== 0;
      if (failed && !isAway) log.warn({ error: result.error }, "traces could not be sent; going on without");
      if (!failed && isAway) log.info({}, "traces are sent again");
      isAway = failed;
      done(result);
    });
  return exporter;
}

interface Shown {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
}

/** The only door by which facts become attributes. The conventions of `gen_ai.*` still change: they are here alone. */
function shown(facts: SpanFacts, system: string): Shown {
  const [internal, client] = [SpanKind.INTERNAL, SpanKind.CLIENT];
  switch (facts.kind) {
    case "run":
      return {
        name: `run ${facts.work}`,
        kind: internal,
        attributes: { "magis.run": facts.run, "magis.work": facts.work },
      };
    case "step":
    case "phase":
      return {
        name: `${facts.kind} ${facts.name}`,
        kind: internal,
        attributes: { [`magis.${facts.kind}`]: facts.name },
      };
    case "model call":
      return {
        name: `chat ${facts.prompt}`,
        kind: client,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": system,
          "magis.prompt": facts.prompt,
          "magis.tier": facts.tier,
        },
      };
    case "GitHub request":
      return {
        name: `${facts.method} ${facts.route}`,
        kind: client,
        attributes: { "http.request.method": facts.method, "url.template": facts.route },
      };
  }
}

function endOf({ outcome, model, usage, money, status }: SpanEnd): Attributes {
  return {
    "magis.outcome": outcome,
    "gen_ai.response.model": model,
    "gen_ai.usage.input_tokens": usage && usage.input + usage.cacheRead + usage.cacheWrite,
    "gen_ai.usage.cache_read.input_tokens": usage?.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWrite,
    "gen_ai.usage.output_tokens": usage?.output,
    "magis.cost_usd": money,
    "http.response.status_code": status,
  };
}
