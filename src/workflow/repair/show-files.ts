import { showFile } from "../../edits/show-file.ts";
import type { Repository } from "../../ports/repository.ts";
import type { PathGuard } from "../change/create-path-guard.ts";
import type { ShownFile } from "../strategy/paper/developer.ts";

const MAX_FILES = 12;
const MAX_FILE_LENGTH = 60_000;
const MAX_CHARACTERS = 160_000;

/** The files of `paths` that a task may change, as prompts show them, as far as there is room; the others by name. */
export async function showFiles(
  paths: readonly string[],
  repository: Pick<Repository, "entries" | "readBlob">,
  guard: PathGuard,
): Promise<{ readonly files: readonly ShownFile[]; readonly others: readonly string[] }> {
  const files: ShownFile[] = [];
  const others: string[] = [];
  let left = MAX_CHARACTERS;
  for (const path of new Set(paths)) {
    const entry = repository.entries.get(path);
    if (!entry || guard({ path, action: "modify" })) continue;
    const file = files.length < MAX_FILES ? showFile(path, await repository.readBlob(entry.blob)) : undefined;
    if (!file || file.content.length > Math.min(left, MAX_FILE_LENGTH)) others.push(path);
    else {
      files.push(file);
      left -= file.content.length;
    }
  }
  return { files, others };
}
