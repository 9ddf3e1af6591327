import { describe, expect, it } from "@jest/globals";
import { loadPackage, openModel, tryModel } from "../../src/app/open-model.ts";
import { botCommands } from "../../src/commands/bot-commands.ts";
import { createAsk } from "../../src/commands/doctor/ask.ts";
import { modelChecks } from "../../src/commands/doctor/list-checks.ts";
import { runChecks, withoutSecrets } from "../../src/commands/findings.ts";
import type { Config } from "../../src/settings/environment/config.ts";
import { inspectConfig, readCommandConfig } from "../../src/settings/environment/read-config.ts";
import { CONTRACT_KEY, languageModelContract } from "../contracts/language-model-contract.ts";
import { startChatEndpoint } from "../contracts/start-chat-endpoint.ts";
import { cloudEnvironment, startCloudEndpoint } from "../contracts/start-cloud-endpoint.ts";
import { caught } from "../models/anthropic/caught.ts";
import type { Answer } from "../scripted-model/script.ts";
import { scriptedRequest } from "../scripted-model/scripted-request.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";

const LOG = { debug: () => undefined, warn: () => undefined };

const NAMES = {
  MAGIS_MODEL_FAST: "small-1",
  MAGIS_MODEL_STRONG: "eu.big-1",
  MAGIS_PRICES: "small-1=1/5,eu.big-1=4/20/0.4",
};

/** An environment in which no file, role or metadata server gives credentials. */
const WITHOUT_CREDENTIALS = {
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_SHARED_CREDENTIALS_FILE: "/nonexistent",
  AWS_CONFIG_FILE: "/nonexistent",
  METADATA_SERVER_DETECTION: "none",
  CLOUDSDK_CONFIG: "/nonexistent",
  HOME: "/nonexistent",
};

const configOf = (variables: Readonly<Record<string, string>>) =>
  readCommandConfig({}, undefined, { ...NAMES, ...variables }).model;

type Provider = Config["model"]["provider"];

/** Starts an endpoint of `provider` on loopback; gives the variables that point to it. */
async function startEndpoint(provider: Provider, answers: readonly Answer[]) {
  if (provider === "openai") {
    const { url, ...endpoint } = await startChatEndpoint(answers);
    const own = { OPENAI_API_KEY: CONTRACT_KEY, OPENAI_BASE_URL: `${url}/v1` };
    return { ...endpoint, variables: { MAGIS_PROVIDER: provider, ...own }, faults: () => endpoint.faults };
  }
  let count = 0;
  const script = await startScriptedModel({ answer: () => answers[Math.min(count++, answers.length - 1)] });
  const cloud = provider === "anthropic" ? undefined : await startCloudEndpoint(provider, script.url);
  if (cloud) Object.assign(process.env, cloudEnvironment(cloud.url));
  const own: Record<string, string> = cloud ? {} : { ANTHROPIC_API_KEY: CONTRACT_KEY, ANTHROPIC_BASE_URL: script.url };
  const close = async () => {
    await cloud?.close();
    await script.stop();
  };
  return {
    count: () => count,
    variables: { MAGIS_PROVIDER: provider, ...own },
    close,
    faults: () => [...(cloud?.faults ?? []), ...script.faults],
  };
}

const EACH: Readonly<Record<Provider, true>> = { anthropic: true, bedrock: true, vertex: true, openai: true };

const PROVIDERS = Object.keys(EACH) as readonly Provider[];

for (const provider of PROVIDERS) {
  languageModelContract(provider, async (answers) => {
    const { variables, ...endpoint } = await startEndpoint(provider, answers);
    return { ...endpoint, model: await openModel(configOf(variables), LOG, 20_000) };
  });
}

describe("magis doctor --call", () => {
  /** Runs the doctor's calls with `answers`; gives its findings and the number of calls. */
  async function callsOf(provider: Provider, answers: readonly Answer[]) {
    const endpoint = await startEndpoint(provider, answers);
    const inspected = inspectConfig(undefined, { ...NAMES, ...endpoint.variables });
    const { signal } = new AbortController();
    const trial = tryModel(inspected.config.model, signal);
    const request = { offline: false, model: "paid" } as const;
    const envFile = { path: ".env", isOwn: false };
    const doctor = { request, envFile, inspected, ask: createAsk(signal), tryModel: trial, commands: botCommands() };
    const checks = modelChecks(doctor);
    const calls = checks.filter(({ name }) => name.startsWith("call of"));
    const findings = (await runChecks(calls)).map((finding) => withoutSecrets(finding, [CONTRACT_KEY]));
    await endpoint.close();
    return { findings, ...endpoint };
  }

  it.each(PROVIDERS)("calls each model of %s once, and says what it cost", async (provider) => {
    const { findings, faults } = await callsOf(provider, ["ok"]);
    expect(findings.map(({ check, level }) => [check, level])).toEqual([
      ["call of small-1", "ok"],
      ["call of eu.big-1", "ok"],
    ]);
    for (const { text } of findings) expect(text).toMatch(/^It answered: \d+ tokens in, \d+ out, \$0\.\d{6}\.$/);
    expect(faults()).toEqual([]);
  });

  it.each(PROVIDERS)("says what to do when %s refuses, without showing the key", async (provider) => {
    const error = { status: 401, type: "authentication_error", message: `wrong: ${CONTRACT_KEY}` };
    const { findings, count } = await callsOf(provider, [{ error }]);
    expect(findings.map(({ level }) => level)).toEqual(["fault", "fault"]);
    for (const { text, remedy = "" } of findings) {
      expect(remedy).not.toBe("");
      expect(text + remedy).not.toContain(CONTRACT_KEY);
    }
    expect(count()).toBe(2);
  });

  it("calls no model without a price", async () => {
    const { count, variables, close } = await startEndpoint("openai", ["ok"]);
    const texts = { ...NAMES, ...variables, MAGIS_PRICES: "small-1=1/5" };
    const { config } = inspectConfig(undefined, texts);
    const trial = tryModel(config.model, new AbortController().signal);
    expect(await caught(trial("eu.big-1").then(String))).toMatchObject({ code: "CONFIGURATION_INVALID" });
    expect(count()).toBe(0);
    await close();
  });
});

describe("a cloud's credentials", () => {
  it.each(["bedrock", "vertex"] as const)(
    "are reported missing at once, with the variables that %s accepts",
    async (provider) => {
      const { variables, count, close } = await startEndpoint(provider, ["ok"]);
      Object.assign(process.env, WITHOUT_CREDENTIALS);
      for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) delete process.env[name];
      const model = await openModel(configOf(variables), LOG, 20_000);
      const failure = await caught(model.complete(scriptedRequest(), new AbortController().signal));
      expect(failure).toMatchObject({ code: "MODEL_REJECTED", data: { money: 0 } });
      expect(failure.message).toMatch(/AWS_PROFILE.*GOOGLE_APPLICATION_CREDENTIALS/);
      expect(count()).toBe(0);
      await close();
    },
  );
});

describe("a provider's package", () => {
  it("is named when it is not installed", async () => {
    const name = "@anthropic-ai/not-there";
    const failure = await caught(loadPackage(name, () => import(name)));
    expect(failure).toMatchObject({ code: "CONFIGURATION_INVALID" });
    expect(failure.message).toContain(`npm install ${name}`);
  });
});
