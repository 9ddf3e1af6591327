import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = "guards";

/** The variables of a push whose sender may not touch workflows: only there does git start the guard. */
export const GUARDED = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.hooksPath", GIT_CONFIG_VALUE_0: FOLDER };

const HOOK = `#!/bin/sh
while read -r old new ref; do
  case "$new" in *[!0]*) ;; *) continue ;; esac
  file=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
  [ -z "$file" ] && continue
  printf 'refusing to allow a GitHub App to create or update workflow \`%s\` without \`workflows\` permission\\n' "$file" >&2
  exit 1
done
`;

/**
 * Makes the bare repository at `path` refuse workflow files from apps without `workflows`, late in the push like
 * GitHub.
 */
export async function guardWorkflows(path: string): Promise<void> {
  await mkdir(join(path, FOLDER));
  await writeFile(join(path, FOLDER, "pre-receive"), HOOK, { mode: 0o755 });
}
