import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { settingsIn } from "../../../src/data/setting-definitions/all-settings.ts";
import {
  inspectConfig,
  readCommandConfig,
  readConfig,
  readDatabaseConfig,
} from "../../../src/settings/environment/read-config.ts";
import { fc } from "../../seeded.ts";

const KEY = { ANTHROPIC_API_KEY: "a-key" };
const NAMES = settingsIn("environment").map(([, { environment }]) => environment.variable);

function warningsFor(environment: Readonly<Record<string, string>>, file = ""): string[] {
  const folder = mkdtempSync(join(tmpdir(), "magis-config-"));
  const sentences: string[] = [];
  try {
    writeFileSync(join(folder, ".env"), file);
    readCommandConfig({}, { path: join(folder, ".env"), isOwn: true }, { ...KEY, ...environment }, (one) =>
      sentences.push(one),
    );
    return sentences.map((one) => one.replace(join(folder, ".env"), ".env"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("unknown variables that look like ours", () => {
  it.each([
    ["MAGIS_LABLE", "MAGIS_LABEL"],
    ["magis_label", "MAGIS_LABEL"],
    ["MAGIS_CHECK_ROUNDS", "MAGIS_CI_ROUNDS"],
    ["MAGIS_DATADIR", "MAGIS_DATA_DIR"],
    ["MAGIS_PORT", "PORT"],
  ])("%s means %s", (name, meant) => {
    expect(warningsFor({ [name]: "s3cret" })).toEqual([
      `${name} is no setting and does nothing: did you mean ${meant}?`,
    ]);
    expect(warningsFor({}, `${name}=s3cret\n`)).toEqual([
      `${name} in .env is no setting and does nothing: did you mean ${meant}?`,
    ]);
  });

  it("says of a former setting that it is gone", () => {
    expect(warningsFor({ MAGIS_REVIEW_ROUNDS: "2" })).toEqual([
      "MAGIS_REVIEW_ROUNDS is no longer a setting and does nothing: take it out.",
    ]);
  });

  it("are reported without values", () => {
    const name = fc.stringMatching(/^[A-Z_]{1,90}$/).map((rest) => `MAGIS_${rest}`);
    fc.assert(
      fc.property(fc.dictionary(name, fc.stringMatching(/^[a-z]{12,20}$/), { maxKeys: 30 }), (variables) => {
        const unknown = Object.keys(variables).filter((one) => !NAMES.includes(one as never));
        const values = Object.fromEntries(unknown.map((one) => [one, variables[one] ?? ""]));
        const sentences = warningsFor(values);
        expect(sentences).toHaveLength(unknown.length);
        for (const value of Object.values(values)) expect(sentences.join("\n")).not.toContain(value);
      }),
      { numRuns: 50 },
    );
  });

  it("do not include known, empty and foreign variables, or those that Kubernetes makes for a service", () => {
    expect(warningsFor({ MAGIS_LABEL: "go", MAGIS_LABLE: " ", MAGISTRATE: "x" })).toEqual([]);
    const links = { MAGIS_SERVICE_HOST: "10.0.0.1", MAGIS_SERVICE_PORT: "80", MAGIS_SERVICE_PORT_HTTP: "80" };
    const port = {
      MAGIS_PORT: "tcp://10.0.0.1:80",
      MAGIS_PORT_80_TCP: "tcp://10.0.0.1:80",
      MAGIS_PORT_80_TCP_ADDR: "x",
    };
    expect(warningsFor({ ...links, ...port, MAGIS_DB_SERVICE_HOST: "10.0.0.2" })).toEqual([]);
    expect(warningsFor({ ...links, MAGIS_LABLE: "x" })).toHaveLength(1);
  });

  it("are reported by everything that reads the configuration", () => {
    const environment = { ...KEY, MAGIS_LABLE: "x" };
    const warnings: string[] = [];
    const warn = (sentence: string) => void warnings.push(sentence);
    readDatabaseConfig(undefined, environment, warn);
    // Other faults do not hide it.
    expect(() => readConfig(undefined, environment, warn)).toThrow(/APP_ID/);
    expect(inspectConfig(undefined, environment).unknown).toEqual([warnings[0]]);
    expect(warnings).toEqual([warnings[0], warnings[0]]);
    expect(warnings[0]).toContain("MAGIS_LABEL");
  });
});
