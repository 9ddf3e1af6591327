import { describe, expect, it } from "@jest/globals";
import { readCommandConfig } from "../../src/config/environment/read-config.ts";
import { loadPackage, openModel } from "../../src/wire/open-model.ts";
import { caught } from "../adapters/anthropic/caught.ts";
import { CONTRACT_KEY, languageModelContract, type OpenModel } from "../contracts/language-model-contract.ts";
import { startChatEndpoint } from "../contracts/start-chat-endpoint.ts";
import { cloudEnvironment, startCloudEndpoint } from "../contracts/start-cloud-endpoint.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";

const LOG = { debug: () => undefined, warn: () => undefined };

const NAMES = {
  MAGIS_MODEL_FAST: "small-1",
  MAGIS_MODEL_STRONG: "eu.big-1",
  MAGIS_PRICES: "small-1=1/5,eu.big-1=4/20/0.4",
};

const configOf = (variables: Readonly<Record<string, string>>) =>
  readCommandConfig({}, {}, undefined, { ...NAMES, ...variables }).model;

const onMessages =
  (provider: "anthropic" | "bedrock" | "vertex"): OpenModel =>
  async (answers) => {
    let count = 0;
    const script = await startScriptedModel({ answer: () => answers[Math.min(count++, answers.length - 1)] });
    const cloud = provider === "anthropic" ? undefined : await startCloudEndpoint(provider, script.url);
    if (cloud) Object.assign(process.env, cloudEnvironment(cloud.url));
    const own = { ANTHROPIC_API_KEY: CONTRACT_KEY, ANTHROPIC_BASE_URL: script.url };
    const config = configOf({ MAGIS_PROVIDER: provider, ...(cloud ? {} : own) });
    const close = async () => {
      await cloud?.stop();
      await script.stop();
    };
    return {
      ...{ model: await openModel(config, LOG, 20_000), count: () => count, close },
      faults: () => [...(cloud?.faults ?? []), ...script.faults],
    };
  };

for (const provider of ["anthropic", "bedrock", "vertex"] as const)
  languageModelContract(provider, onMessages(provider));

languageModelContract("openai", async (answers) => {
  const { url, ...endpoint } = await startChatEndpoint(answers);
  const config = configOf({ MAGIS_PROVIDER: "openai", OPENAI_API_KEY: CONTRACT_KEY, OPENAI_BASE_URL: `${url}/v1` });
  return { ...endpoint, model: await openModel(config, LOG, 20_000), faults: () => endpoint.faults };
});

describe("a provider's package", () => {
  it("is told by name where it is not installed", async () => {
    const name = "@anthropic-ai/not-there";
    const failure = await caught(loadPackage(name, () => import(name)));
    expect(failure).toMatchObject({ code: "CONFIGURATION_INVALID" });
    expect(failure.message).toContain(`npm install ${name}`);
  });
});
