import type { OperatorLimits, Settings } from "../../../src/data/settings.ts";
import type { SettingsFault } from "../../../src/settings/repository/check-document.ts";
import { readSettings } from "../../../src/settings/repository/read-settings.ts";
import type { FoundText } from "../../../src/text/found-text.ts";

const LIMITS: OperatorLimits = {
  models: ["small", "big"],
  budget: { money: 5, tokens: 3_000_000, minutes: 30 },
  limits: { repository: 50, organisation: 200, openPullRequests: 5 },
  defaults: {
    label: "magis",
    draft: true,
    models: { fast: "small", strong: "big" },
    effort: { strong: "high" },
    allowedBots: ["renovate[bot]"],
  },
};

/** A repository of `acme` and the owner's `.github`, by file. `reads` lists the files that were read. */
export function settingsWorld(
  files: Readonly<Record<string, FoundText>>,
  ownerFiles: Readonly<Record<string, FoundText>> = {},
) {
  const reads: string[] = [];
  const outcome = () =>
    readSettings({
      owner: "Acme",
      readRepositoryFile: async (path) => {
        reads.push(path);
        return files[path];
      },
      listRepositoryFolder: async (path) => {
        reads.push(`${path}/`);
        const prefix = path === "" ? "" : `${path}/`;
        const below = Object.keys(files).filter((file) => file.startsWith(prefix));
        return [...new Set(below.map((file) => file.slice(prefix.length).replace(/\/.*/, "")))];
      },
      readOwnerFile: async (repository, path) => {
        reads.push(`${repository}:${path}`);
        return repository === ".github" ? ownerFiles[path] : undefined;
      },
      limits: LIMITS,
    });
  return {
    reads,
    async settings(): Promise<Settings> {
      const read = await outcome();
      if ("faults" in read) throw new Error(JSON.stringify(read.faults, null, 2));
      return read.settings;
    },
    async faults(): Promise<readonly SettingsFault[]> {
      const read = await outcome();
      return "faults" in read ? read.faults : [];
    },
  };
}
