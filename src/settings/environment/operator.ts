import { DEFAULT_RUN_VALUES, runValuesOf, settingsIn } from "../../data/setting-definitions/all-settings.ts";
import { growTree, valueAt } from "../../data/setting-definitions/definition.ts";
import type { Chosen, OperatorLimits, RunSettings } from "../../data/settings.ts";
import type { CommandConfig, Config } from "./config.ts";

/** The part of the configuration about the agents' work. What starts a run concerns the bot alone. */
type WorkConfig = Omit<CommandConfig, "github"> & Partial<Pick<Config, "trigger" | "limits">>;

/** What applies to a run whose repository decides nothing. */
export function operatorSettings(config: WorkConfig): RunSettings {
  const ours: Partial<RunSettings> = valuesOf(config, settingsIn("environment"));
  return { ...DEFAULT_RUN_VALUES, ...runValuesOf(ours), ablate: [] };
}

/** What a repository may decide, and what applies if it does not. */
export function operatorLimits(config: WorkConfig): OperatorLimits {
  const shared = settingsIn("environment", "file").filter(([, { file }]) => !file.ownDefault);
  return {
    models: Object.keys(config.model.prices),
    budget: config.budget,
    limits: config.limits,
    defaults: valuesOf(config, shared),
  };
}

/** The values of the settings that the command line can choose: all of them, or those whose variables it gave. */
export function chosenSettings(config: WorkConfig, variables?: Readonly<Record<string, string>>): Chosen {
  const given = settingsIn("environment", "file", "option").filter(
    ([, { environment }]) => variables === undefined || Object.hasOwn(variables, environment.variable),
  );
  return valuesOf(config, given);
}

function valuesOf(config: WorkConfig, definitions: ReturnType<typeof settingsIn<"environment">>): Chosen {
  return growTree(
    definitions.flatMap(
      ([
        name,
        {
          environment: { place },
        },
      ]) => {
        const value = place === undefined ? undefined : valueAt(config, place);
        return value === undefined ? [] : [[name, value] as const];
      },
    ),
  );
}
