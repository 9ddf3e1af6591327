import { posix } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { Settings } from "../../model/settings.ts";
import { REFUSED_STARTUP_FILES } from "./startup-files.ts";

/** Which files of a repository the bot leaves alone. Paths are relative to the repository's root. */
export interface PathPolicy {
  /** whether the bot neither reads nor changes a path */
  ignored(path: string): boolean;
  /** the glob that protects a path from changes; undefined if none does */
  protectedBy(path: string): string | undefined;
  /** whether the only files that may change do not include a path */
  outside(path: string): boolean;
}

/**
 * The path policy of the settings. Globs are those of .gitignore: without a slash at the start or inside, at any depth;
 * with one, from the root; a folder includes everything below. Case matters, except in built-in globs, because some
 * file systems ignore it. `unprotect` lifts built-in protection only, not `protect` and not that of the bot's own
 * configuration.
 */
export function createPathPolicy(
  settings: Pick<Settings, "ignore" | "protect" | "unprotect" | "only" | "alsoOnly">,
): PathPolicy {
  const ignored = matcherOf([...settings.ignore], "as written");
  const lifted = matcherOf([...settings.unprotect], "as written");
  const always = OWN_CONFIGURATION.map((glob) => ({ glob, fits: builtIn(glob) }));
  const limits = [settings.only, settings.alsoOnly ?? []].filter((globs) => globs.length > 0);
  const meant = limits.map((globs) => matcherOf([...globs], "as written"));
  const rules = [...always, ...settings.protect.map((glob) => ({ glob, fits: matcherOf([glob], "as written") }))];
  const builtInGlob = createBuiltInProtection();
  return {
    ignored: (path) => ignored(fromRoot(path)),
    outside: (path) => !meant.every((fits) => fits(fromRoot(path))),
    protectedBy: (path) => {
      const plain = fromRoot(path);
      return rules.find(({ fits }) => fits(plain))?.glob ?? (lifted(plain) ? undefined : builtInGlob(plain));
    },
  };
}

/**
 * The built-in glob that fits a path. Nearly all paths fit none: one matcher of all globs finds that out, and one for
 * each names the glob.
 */
function createBuiltInProtection(): (path: string) => string | undefined {
  builtInRules ??= ignore({ ignorecase: true }).add([...PROTECTED_PATHS]);
  const any = builtIn(builtInRules);
  let each: readonly { readonly glob: string; fits(path: string): boolean }[] | undefined;
  return (path) => {
    if (!any(path)) return undefined;
    each ??= PROTECTED_PATHS.map((glob) => ({ glob, fits: builtIn(glob) }));
    return each.find(({ fits }) => fits(path))?.glob;
  };
}

/** Compiled once. Only added to matchers: a matcher remembers the paths it was asked, and must not outlive a run. */
let builtInRules: Ignore | undefined;

/** Some file systems ignore case, and characters that cannot be seen. */
function builtIn(globs: string | Ignore): (path: string) => boolean {
  const fits = matcherOf(globs, "any");
  return (path) => fits(path) || fits(fromRoot(plainName(path).replace(/(?<![ .])[ .]+(?=\/|$)/g, "")));
}

function matcherOf(globs: string | string[] | Ignore, letters: "as written" | "any"): (path: string) => boolean {
  if (Array.isArray(globs) && globs.length === 0) return () => false;
  const matcher = ignore({ ignorecase: letters === "any", allowRelativePaths: true }).add(globs);
  return (path) => path !== "" && matcher.ignores(path);
}

/** A model may write `./a` or `/a//b`, which must not bypass a glob. */
function fromRoot(path: string): string {
  return posix
    .normalize(path)
    .replace(/^(?:\.{0,2}\/)+/, "")
    .replace(/^\.{1,2}$/, "");
}

/** The configuration itself. Its protection cannot be lifted, since the bot could then change its own limits. */
const OWN_CONFIGURATION: readonly string[] = ["/.github/magis.yml"];

/**
 * Protected unless `unprotect` lifts it, in the form of .gitignore, in any case: what runs with somebody's rights
 * before a person has read it, or instructs agents; who must review; the licence. What tools read by themselves at
 * start is in `startup-files.ts`.
 */
const GROUPS: Readonly<Record<string, string>> = {
  "GitHub's own": `
    /.github/workflows/** /.github/actions/** action.yml action.yaml CODEOWNERS /.github/settings.yml`,
  "the licence": `
    /LICENSE* /LICENCE* /COPYING* LICENSE LICENSE.md LICENSE.txt LICENCE LICENCE.md LICENCE.txt COPYING`,
  "other continuous integration": `
    .gitlab-ci.yml .gitlab-ci.yaml .gitlab-ci .gitlab .circleci azure-pipelines*.yml azure-pipelines*.yaml
    .azure-pipelines .azuredevops .azure .buildkite Jenkinsfile Jenkinsfile.* *.jenkinsfile
    .jenkins .travis.yml .travis.yaml .travis .drone.yml .drone.yaml .drone.star .drone.jsonnet .woodpecker.yml
    .woodpecker.yaml .woodpecker appveyor.yml .appveyor.yml .appveyor bitbucket-pipelines.yml
    bitbucket-pipelines.yaml .cirrus.yml .cirrus.yaml .cirrus.star .teamcity .tekton .semaphore codefresh.yml
    .codefresh bitrise.yml .gitea .forgejo .build.yml wercker.yml shippable.yml cloudbuild.yml cloudbuild.yaml
    buildspec.yml buildspec.yaml amplify.yml .taskcluster.yml .prow .prow.yaml .zuul.yaml .zuul.d zuul.yaml
    zuul.d .harness .concourse .dagger .earthly netlify.toml vercel.json .readthedocs.yml .readthedocs.yaml`,
  "hooks and what git runs": `
    .husky .huskyrc* lefthook*.yml lefthook*.yaml lefthook*.toml lefthook*.json .lefthook*
    .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .githooks .git-hooks .git_hooks
    captainhook.json grumphp.yml grumphp.yml.dist hk.pkl prek.toml
    .overcommit.yml .overcommit .simple-git-hooks.* simple-git-hooks.* .lintstagedrc* lint-staged.config.*
    .gitmodules .gitattributes .gitconfig .lfsconfig`,
  "machines and editors": `
    .devcontainer .devcontainer.json .gitpod.yml .gitpod.Dockerfile .gitpod .replit devfile.yaml .devfile.yaml
    .vscode *.code-workspace .idea .run .fleet .zed .helix .lapce .vim .nvim.lua .nvimrc .exrc .vimrc .lvimrc
    .dir-locals.el .dir-locals-2.el .ycm_extra_conf.py .externalToolBuilders *.sublime-project .stackblitzrc
    .codesandbox .idx`,
  "bots that change or merge": `
    /.github/dependabot.yml /.github/dependabot.yaml /.dependabot renovate.json renovate.json5 .renovaterc
    .renovaterc.* /.github/renovate.* .mergify.yml /.mergify /.github/mergify.yml .kodiak.toml
    /.github/.kodiak.toml bors.toml .pyup.yml .scala-steward.conf .coderabbit.yaml .coderabbit.yml .sweep.yaml
    sweep.yaml .pr_agent.toml greptile.json .ellipsis.yaml ellipsis.yaml`,
  "agents' instructions": `
    AGENTS.md AGENTS.override.md AGENT.md .agents .agent .agents.md .rules CLAUDE.md CLAUDE.local.md .claude
    .claude.json .claude-plugin GEMINI.md .gemini .geminiignore QWEN.md .qwen CRUSH.md .crush .crush.json
    crush.json WARP.md .warp CODEX.md .codex CONVENTIONS.md .cursor .cursorrules .cursorignore
    .cursorindexingignore .windsurf .windsurfrules .codeium .codeiumignore .cline .clinerules* .clineignore .roo
    .roorules* .roomodes .rooignore .kilocode .kilocodemodes .kilocoderules* .aider* .continue .continuerules
    .continuerc.json .amp .ampcode .junie .aiassistant .kiro .amazonq .goose .goosehints .gooseignore .openhands
    .openhands_instructions .devin .trae .augment .augment-guidelines .augmentignore .opencode opencode.json
    opencode.jsonc .factory .firebender firebender.json .tabnine .sourcegraph .cody .zencoder .pearai .plandex
    .mentat .jules .rovodev .qodo .lovable replit.md .ruler .rulesync .mcp.json mcp.json .mcp llms.txt
    llms-full.txt .copilot /.github/copilot-instructions.md /.github/instructions/** /.github/prompts/**
    /.github/agents/** /.github/chatmodes/** /.github/skills/** /.github/hooks/** *.instructions.md *.prompt.md
    *.chatmode.md *.agent.md SKILL.md`,
};

const words = (names = ""): readonly string[] => names.trim().split(/\s+/);

/** All of them, as documented. */
export const PROTECTED_PATHS: readonly string[] = [...Object.values(GROUPS).flatMap(words), ...REFUSED_STARTUP_FILES];

/** Those that run checks: where `unprotect` lifts their protection, a change of them is shown to maintainers. */
export const RUNS_CHECKS: readonly string[] = [
  ...words(GROUPS["GitHub's own"]),
  ...words(GROUPS["other continuous integration"]),
  ...words(GROUPS["hooks and what git runs"]),
];

/** Characters that are invisible or reverse the order of letters: a name with them looks like another. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Read as `.git` by a file system: with trailing dots and spaces, as a stream, or by its short name (NTFS). */
const GIT = /^(?:\.git[ .]*(?::.*)?|git~\d+[ .]*(?::.*)?)$/i;

const MAX_NAME = 255;

const MAX_PATH = 4_000;

/**
 * Why git would refuse a path, or why it leads out of the work tree, in words; undefined if neither. Names are taken as
 * file systems see them, which ignore some characters and case.
 */
export function faultOfPath(path: string): string | undefined {
  const outside = "this is not a path inside the repository";
  if (path === "" || path.length > MAX_PATH || /\\|[\p{Cc}\p{Cs}]/u.test(path)) return outside;
  for (const part of path.split("/")) {
    const plain = plainName(part);
    if (/^\.{0,2}$/.test(part) || /^\.{0,2}$/.test(plain) || GIT.test(plain)) return outside;
  }
  return undefined;
}

const INVISIBLES = new RegExp(INVISIBLE, "gu");

/** A path as a file system may read it: without ignored characters, in the letters it maps them to. */
const plainName = (path: string): string => path.replace(INVISIBLES, "").normalize("NFKC");

const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])[ ]*(?:\.|$)/i;

const SHORT = /^[^.~]{1,6}~\d{1,4}(?:\.[^.]{0,3})?$/;

/** Why a new file should not have this name: some file system would refuse it or mistake it for another. */
export function faultOfNewName(path: string): string | undefined {
  for (const part of path.split("/")) {
    if (INVISIBLE.test(part)) return "its name has characters that nobody sees";
    if (/[<>:"|?*]/.test(part)) return "its name has characters that some file systems refuse";
    if (/^\s|[\s.]$/.test(part)) return "a name must not begin with a space, nor end with a space or a dot";
    if (RESERVED.test(part)) return "this name is reserved on Windows";
    if (SHORT.test(part)) return "on Windows this may be the short name of another file";
    if (Buffer.byteLength(part) > MAX_NAME) return "its name is too long";
  }
  return undefined;
}
