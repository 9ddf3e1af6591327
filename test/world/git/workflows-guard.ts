import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The variable that tells a push that its sender may not touch workflows. */
export const GUARD = "WORLD_WORKFLOWS_REFUSED";

const HOOK = `#!/bin/sh
[ -n "$${GUARD}" ] || exit 0
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
  const hook = join(path, "hooks", "pre-receive");
  await writeFile(hook, HOOK);
  await chmod(hook, 0o755);
}
