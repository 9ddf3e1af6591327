import { describe, expect, it } from "@jest/globals";
import { chosenVariables, settingOptions } from "../../src/commands/setting-options.ts";

const find = (name: string) => settingOptions().find((option) => option.name === name);

describe("settingOptions", () => {
  it("describes an option for each setting that the command line can choose", () => {
    expect(settingOptions().map(({ name }) => name)).toEqual(
      expect.arrayContaining(["budget", "check-memory", "fast-model", "model", "profile"]),
    );
    expect(find("check-minutes")).toMatchObject({
      argument: "MINUTES",
      description: "minutes that one run of the check may take (default: 10)",
    });
    expect(find("budget")?.description).toBe("US dollars one run may cost (default: 5)");
    const renamed: readonly string[] = settingOptions({ budget: "instance-budget" }).map(({ name }) => name);
    expect(renamed).toContain("instance-budget");
    expect(renamed).not.toContain("budget");
  });

  it.each([
    ["check-memory", "63", "must be a whole number from 64 to 1048576"],
    ["budget", "cheap", "must be a number of US dollars above 0 and not above 10000"],
    ["profile", "fat", "must be one of lean, paper"],
    ["model", "", "must be the name of a model, one word"],
  ])("checks --%s %s as the setting is checked anywhere else", (name, text, rule) => {
    expect(
      find(name)
        ?.shape.safeParse(text)
        .error?.issues.map(({ message }) => message),
    ).toEqual([rule]);
  });

  it("returns the choices as texts of variables", () => {
    const names = { budget: "instance-budget" } as const;
    const given = { "instance-budget": "2.5", budget: 50, "check-minutes": "2", plan: true };
    expect(chosenVariables(given, names)).toEqual({ MAGIS_BUDGET_MONEY: "2.5", MAGIS_CHECK_MINUTES: "2" });
    expect(find("check-minutes")?.shape.parse("2")).toBe("2");
  });
});
