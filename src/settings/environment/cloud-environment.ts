import type { Environment } from "./read-config.ts";

/** How to reach a cloud's models, read the way the cloud's own programs read it. */
export interface CloudEnvironment {
  bedrock: {
    region: string;
    baseUrl: string | undefined;
    /** a bearer token of Bedrock */
    token: string | undefined;
    /** undefined: the SDK looks where all AWS programs look (a profile, a role) */
    keys: { id: string; secret: string; session: string | undefined } | undefined;
  };
  vertex: {
    region: string | undefined;
    projectId: string | undefined;
    baseUrl: string | undefined;
  };
  /** names of headers that Anthropic's SDKs would add to each request */
  foreignHeaders: readonly string[];
}

/**
 * What model clients get from `environment`, the process's own and never a file's. Their SDKs read nothing else by
 * themselves except the machine's credentials (profiles, roles, Google's default credentials).
 */
export function readCloudEnvironment(environment: Environment): CloudEnvironment {
  const given = (name: string) => environment[name]?.trim() || undefined;
  const id = given("AWS_ACCESS_KEY_ID");
  const secret = given("AWS_SECRET_ACCESS_KEY");
  return {
    bedrock: {
      region: given("AWS_REGION") ?? "us-east-1",
      baseUrl: given("ANTHROPIC_BEDROCK_BASE_URL"),
      token: given("AWS_BEARER_TOKEN_BEDROCK"),
      keys: id && secret ? { id, secret, session: given("AWS_SESSION_TOKEN") } : undefined,
    },
    vertex: {
      region: given("CLOUD_ML_REGION"),
      projectId: given("ANTHROPIC_VERTEX_PROJECT_ID"),
      baseUrl: given("ANTHROPIC_VERTEX_BASE_URL"),
    },
    foreignHeaders: headerNames(environment.ANTHROPIC_CUSTOM_HEADERS ?? ""),
  };
}

/** Splits them as the SDK does: `Name: value`, one a line. */
function headerNames(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line.includes(":"))
    .map((line) => line.slice(0, line.indexOf(":")).trim());
}
