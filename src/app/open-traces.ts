import type { Log } from "../data/log.ts";
import type { Traces } from "../data/traces.ts";
import type { Config } from "../settings/environment/config.ts";
import { loadPackage } from "./open-model.ts";

/**
 * Opens the traces that the configuration asks for; undefined for none, and then nothing is
 * loaded. Throws CONFIGURATION_INVALID when the packages for them are not installed.
 */
export async function openTraces(
  { traces, model }: Pick<Config, "traces" | "model">,
  log: Log,
): Promise<Traces | undefined> {
  const { endpoint, address, headers = "", resource = "", service, sampler, ratio, off } = traces;
  const url = address ?? (endpoint === undefined ? undefined : `${endpoint}/v1/traces`);
  if (url === undefined || off) return undefined;
  const load = () => import("./opentelemetry.ts");
  const { createOpenTelemetry } = await loadPackage(PACKAGES, load, "OTEL_EXPORTER_OTLP_ENDPOINT");
  log.info({ url }, "traces are sent to a collector");
  return createOpenTelemetry({
    url,
    headers: pairsOf(headers),
    resource: { ...pairsOf(resource), "service.name": service },
    sampler,
    ratio: Number(ratio),
    provider: PROVIDERS[model.provider],
    log,
  });
}

/** They are as large as a fifth of the bot, so that only those who trace install them. */
const PACKAGES = [
  "@opentelemetry/api",
  "@opentelemetry/context-async-hooks",
  "@opentelemetry/exporter-trace-otlp-proto",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
].join(" ");

/** OpenTelemetry's names. */
const PROVIDERS = {
  anthropic: "anthropic",
  bedrock: "aws.bedrock",
  vertex: "gcp.vertex_ai",
  openai: "openai",
} as const;

/** `name=value,other=value`, with values as in an address. */
function pairsOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.includes("="));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
