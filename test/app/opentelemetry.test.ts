import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createOpenTelemetry, traceIdOf } from "../../src/app/opentelemetry.ts";
import { MagisError } from "../../src/data/error.ts";
import type { Traces } from "../../src/data/traces.ts";
import { startCollector } from "../collector/start-collector.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";

const RUN = { kind: "run", run: "acme/shop#7@1", work: "resolve" } as const;

let open: Traces | undefined;
afterEach(() => open?.close());

function tracing(url: string) {
  const { log, lines } = createFakeLog();
  const headers = { authorization: "Bearer key" };
  const resource = { "service.name": "magis" };
  const made = { url, headers, resource, sampler: "always_on", ratio: 1, provider: "anthropic", log } as const;
  open = createOpenTelemetry(made);
  return { traces: open, lines };
}

describe("traces by OpenTelemetry", () => {
  it("put everything that is done for a run below it, in a trace that every process finds", async () => {
    const collector = await startCollector();
    for (const attempt of [1, 2]) {
      const { traces } = tracing(`${collector.url}/v1/traces`);
      const usage = { input: 10, cacheRead: 5, cacheWrite: 1, output: 3 };
      await traces.span(RUN, async (end) => {
        expect(traces.active().trace_id).toBe(traceIdOf(RUN.run));
        await traces.span({ kind: "phase", name: "plan" }, () =>
          traces.span({ kind: "model call", prompt: "p04-plan-work", tier: "strong" }, async (ended) =>
            ended({ model: "claude-opus-5-5", usage, money: 0.02 }),
          ),
        );
        end({ outcome: attempt === 1 ? "failed" : "published" });
      });
      await traces.close();
    }
    const { spans } = collector;
    await collector.close();
    expect(new Set(spans.map(({ trace }) => trace))).toEqual(new Set([traceIdOf(RUN.run)]));
    const [call, phase, run] = spans;
    expect([call?.parent, phase?.parent, run?.parent]).toEqual([phase?.span, run?.span, ""]);
    expect(run).toMatchObject({ name: "run resolve", attributes: { "magis.outcome": "failed" } });
    expect(call).toMatchObject({
      name: "chat p04-plan-work",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.response.model": "claude-opus-5-5",
        "gen_ai.usage.input_tokens": 16,
        "gen_ai.usage.output_tokens": 3,
        "magis.cost_usd": 0.02,
      },
    });
    expect(collector.headers[0]).toBe("Bearer key");
  });

  it("name a failure by its code, never by its words", async () => {
    const collector = await startCollector();
    const { traces } = tracing(`${collector.url}/v1/traces`);
    const failing = traces.span({ kind: "step", name: "read" }, async () => {
      throw new MagisError("HOST_REFUSED", "GitHub refused the secret words of acme.");
    });
    await expect(failing).rejects.toThrow("secret words");
    await traces.close();
    await collector.close();
    expect(collector.spans).toMatchObject([{ attributes: { "error.type": "HOST_REFUSED" } }]);
    expect(collector.raw()).not.toContain("secret words");
  });

  it("lose only spans when the collector is away, and say so once", async () => {
    const server = createServer((_, response) => void response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { traces, lines } = tracing(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`);
    // More than two batches.
    for (let at = 0; at < 1_100; at++) expect(await traces.span(RUN, async () => at)).toBe(at);
    await traces.close();
    server.close();
    expect(lines.filter((line) => line.includes("traces could not be sent"))).toHaveLength(1);
  });
});
