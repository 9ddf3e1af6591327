import { limitsUnder } from "../../config/repository/limits-under.ts";
import { readSettings } from "../../config/repository/read-settings.ts";
import { withChosen } from "../../config/repository/with-chosen.ts";
import { readText } from "../../edits/read-text.ts";
import type { RepositorySettings } from "../../model/repository-settings.ts";
import type { Repository } from "../../ports/repository.ts";
import type { LocalDependencies, LocalJob } from "./local-job.ts";

/**
 * What the repository's own `.github/magis.yml` decides at the commit, with what was chosen for this run over it; or a
 * sentence for each fault of the file.
 */
export async function readOwnSettings(
  { entries, readBlob }: Pick<Repository, "entries" | "readBlob">,
  { repository, chosen = {}, readOwnerFile = async () => undefined }: LocalJob,
  { limits }: Pick<LocalDependencies, "limits">,
): Promise<{ readonly settings: RepositorySettings } | { readonly faults: readonly string[] }> {
  const read = await readSettings({
    owner: repository.owner,
    async readRepositoryFile(path) {
      const entry = entries.get(path);
      if (!entry?.mode.startsWith("100")) return undefined;
      return readText(await readBlob(entry.blob))?.lines.join("");
    },
    readOwnerFile,
    limits: limitsUnder(limits, chosen),
  });
  if ("faults" in read) return { faults: read.faults.map(({ file, line, message }) => `${file}:${line}: ${message}`) };
  return { settings: withChosen(read.settings, chosen) };
}
