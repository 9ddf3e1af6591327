import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { inputWords } from "../../src/commands/action/input-words.ts";
import { projectRoot } from "../world/project-root.ts";

const { inputs, runs } = parse(readFileSync(join(projectRoot(), "action.yml"), "utf8")) as {
  inputs: Readonly<Record<string, unknown>>;
  runs: { steps: readonly { env?: Readonly<Record<string, string>> }[] };
};

/** The variables that `action.yml` sets from an input, by what it sets. */
const SET = Object.assign({}, ...runs.steps.map(({ env = {} }) => env)) as Readonly<Record<string, string>>;

describe("a fault in the Action's words", () => {
  it.each(Object.entries(SET).filter(([variable]) => !variable.startsWith("INPUT_")))(
    "names the input for %s, which is %s",
    (variable, value) => {
      const [, input = ""] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
      expect(Object.keys(inputs)).toContain(input);
      expect(inputWords(`${variable} is wrong, says ${variable}.`)).toBe(`\`${input}\` is wrong, says \`${input}\`.`);
    },
  );

  it("says where a missing secret is added, and how the sandbox is left out", () => {
    expect(inputWords("ANTHROPIC_API_KEY is missing: set it. The key.")).toBe(
      "`anthropic-api-key` is missing: set it, and if the workflow takes it from a secret, add that to the repository (Settings, Secrets and variables, Actions). The key.",
    );
    expect(inputWords("set --check-sandbox off (MAGIS_CHECK_SANDBOX): x")).toBe("set `check-sandbox: off`: x");
    expect(inputWords("MAGIS_PRICES and MY_GITHUB_TOKEN stay.")).toBe("MAGIS_PRICES and MY_GITHUB_TOKEN stay.");
  });
});
