import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { RepositoryOptions } from "../options.ts";
import { type BareRepository, bareRepository } from "./bare-repository.ts";
import { runGit } from "./run-git.ts";
import { guardWorkflows } from "./workflows-guard.ts";

/**
 * Makes `<folder>/<owner>/<name>.git`, with the history of `options.from` or one commit of `options.files`,
 * and configures it like GitHub's: it serves any reachable object, and filters.
 */
export async function createRepository(folder: string, options: RepositoryOptions): Promise<BareRepository> {
  const path = join(folder, options.owner, `${options.name}.git`);
  const branch = options.defaultBranch ?? "main";
  await mkdir(dirname(path), { recursive: true });
  if (options.from === undefined) {
    await runGit(["init", "--quiet", "--bare", `--initial-branch=${branch}`, path]);
    const files = options.files ?? { "README.md": `# ${options.name}\n` };
    await firstCommit(folder, path, files);
    // GitHub serves packs. From loose files, git makes one for each clone, which costs more than anything else it does.
    if (Object.keys(files).length > FEW_FILES) await runGit(["repack", "-a", "-d", "--quiet"], { cwd: path });
  } else {
    await runGit(["clone", "--quiet", "--bare", "--no-hardlinks", resolve(options.from), path]);
    await runGit(["remote", "remove", "origin"], { cwd: path });
    if (options.defaultBranch !== undefined)
      await runGit(["symbolic-ref", "HEAD", `refs/heads/${branch}`], { cwd: path });
  }
  await appendFile(join(path, "config"), SERVED);
  await guardWorkflows(path);
  return bareRepository(path);
}

const FEW_FILES = 100;

const SERVED = `
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[http]
	receivepack = true
[receive]
	autogc = false
[gc]
	auto = 0
`;

async function firstCommit(folder: string, bare: string, files: Record<string, string>): Promise<void> {
  const work = await mkdtemp(join(folder, "first-"));
  const env = { GIT_DIR: bare, GIT_WORK_TREE: work, GIT_INDEX_FILE: `${work}.index` };
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true });
    await writeFile(join(work, path), contents);
  }
  await runGit(["add", "--all", "--force"], { cwd: work, env });
  await runGit(["commit", "--quiet", "--allow-empty", "--message=First commit"], { cwd: work, env });
  for (const made of [work, `${work}.index`]) await rm(made, { recursive: true, force: true });
}
