import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { gitEnvironment, readCommandConfig } from "../../../src/settings/environment/read-config.ts";

const KEY = { ANTHROPIC_API_KEY: "a-key" };
type Variables = Readonly<Record<string, string | undefined>>;

/** With the text `file` as the `.env` of the working directory. */
function read(environment: Variables, { chosen = {}, file = "" }: { chosen?: Variables; file?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "magis-config-"));
  try {
    writeFileSync(join(folder, ".env"), file);
    return readCommandConfig(chosen, { path: join(folder, ".env"), isOwn: true }, environment);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("readCommandConfig", () => {
  it("needs the model's key and no app", () => {
    const config = read(KEY);
    expect(config).toMatchObject({ budget: { money: 5 }, agents: { profile: "lean" } });
    expect(config.github).toEqual({ apiUrl: "https://api.github.com", webUrl: "https://github.com" });
    expect(() => read({ PORT: "none" })).toThrow(/^ANTHROPIC_API_KEY is missing: set it\. [^\n]+$/);
  });

  it("takes GitHub's token and host, and prefers the command line's values", () => {
    const environment = { ...KEY, GITHUB_TOKEN: "t", GHE_HOST: "ghe.example", MAGIS_CI_ROUNDS: "3" };
    const config = read(environment, { chosen: { MAGIS_CI_ROUNDS: "7" } });
    expect(config.github).toEqual({
      apiUrl: "https://ghe.example/api/v3",
      webUrl: "https://ghe.example",
      token: "t",
    });
    expect(config.agents.ciRounds).toBe(7);
    expect(() => read(KEY, { chosen: { MAGIS_MODEL_STRONG: "unknown" } })).toThrow(/price is not known/);
  });
});

describe("gitEnvironment", () => {
  it("drops the variables that would point git at another repository", () => {
    const kept = { PATH: "/bin", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const dropped = { GIT_DIR: "/x", GIT_WORK_TREE: "/x", GIT_INDEX_FILE: "/x", GIT_CONFIG_COUNT: "1" };
    expect(gitEnvironment({ ...kept, ...dropped, GIT_ALTERNATE_OBJECT_DIRECTORIES: "/x" })).toEqual(kept);
  });
});
