import { describe, expect, it } from "@jest/globals";
import { createPathPolicy, faultOfNewName, faultOfPath } from "../../src/change/path-policy.ts";
import { readList } from "../../src/data/own-files.ts";
import { fc } from "../seeded.ts";

const { protectedBy } = createPathPolicy({});

const PROTECTED = `
action.yml tools/setup/action.yaml .github/actions/setup/index.js .github/workflows/ci.yml
.gitlab-ci.yml .gitlab/ci/build.yml .circleci/config.yml azure-pipelines.yml azure-pipelines-nightly.yaml
.azure-pipelines/a.yml .buildkite/pipeline.yml Jenkinsfile Jenkinsfile.release ci/nightly.jenkinsfile .travis.yml
.drone.yml .drone.star .woodpecker.yml .woodpecker/test.yaml appveyor.yml .appveyor.yml bitbucket-pipelines.yml
.cirrus.yml .cirrus.star .teamcity/settings.kts .tekton/push.yaml .semaphore/semaphore.yml codefresh.yml bitrise.yml
.gitea/workflows/a.yml .forgejo/workflows/a.yml buildspec.yml cloudbuild.yaml .taskcluster.yml .zuul.yaml
.husky/pre-commit packages/a/.husky/pre-push lefthook.yml .lefthook/pre-commit/a.sh .lefthook.yml lefthook-local.yml
.pre-commit-config.yaml .pre-commit-hooks.yaml .githooks/post-checkout .overcommit.yml .lintstagedrc.js
.gitmodules .gitattributes docs/.gitattributes .lfsconfig
.devcontainer/devcontainer.json .devcontainer.json .gitpod.yml .envrc .replit
.vscode/tasks.json .vscode/launch.json .vscode/settings.json a.code-workspace .idea/runConfigurations/a.xml .zed/tasks.json
.exrc .dir-locals.el .npmrc .yarnrc.yml .yarn/releases/yarn-4.cjs .pnpmfile.cjs
.github/dependabot.yml renovate.json renovate.json5 .renovaterc .renovaterc.json .github/renovate.json5 .mergify.yml bors.toml
.coderabbit.yaml
AGENTS.md packages/a/agents.md AGENT.md CLAUDE.md CLAUDE.local.md .claude/commands/a.md GEMINI.md .gemini/settings.json
.cursor/rules/a.mdc .cursorrules .cursorignore .windsurf/rules/a.md .windsurfrules .clinerules .clinerules/a.md
.clinerules-code .roo/rules/a.md .roomodes .roorules .kilocode/rules/a.md .aider.conf.yml .aiderignore CONVENTIONS.md
.github/copilot-instructions.md .github/instructions/a.instructions.md .github/prompts/a.prompt.md
.github/chatmodes/a.chatmode.md .github/skills/a/SKILL.md .continue/config.yaml .continuerules .codex/config.toml
.amp/settings.json .junie/guidelines.md .kiro/steering/a.md .amazonq/rules/a.md .goosehints .goose/a.md
.openhands/microagents/repo.md .openhands_instructions .devin/a.md .trae/rules/a.md .augment/rules/a.md
.augment-guidelines .opencode/agent/a.md opencode.json .factory/a.md QWEN.md CRUSH.md WARP.md .mcp.json mcp.json
.vscode/mcp.json .rules llms.txt .ruler/a.md .tabnine/guidelines/a.md .jules/a.md skills/a/SKILL.md
CODEOWNERS docs/CODEOWNERS LICENSE LICENSE-MIT COPYING`
  .trim()
  .split(/\s+/);

const OPEN = `
src/action.ts actions.yml src/workflows/ci.yml docs/gitlab-ci.md src/gitlab-ci.yml.ts circleci/config.ts
azure-pipelines.md src/jenkinsfile-parser.ts JenkinsfileReader.java/a src/travis.yml drone.yml src/drone/a.ts
woodpecker/a.ts src/appveyor.ts src/husky/a.ts src/lefthook.ts lefthook/a.go docs/pre-commit.md githooks/a.go
src/gitmodules.ts gitattributes.ts src/devcontainer.json vscode/tasks.json src/vscode/extension.ts src/idea/a.kt
src/dependabot.ts src/renovate.ts src/agents.ts agents/a.ts AGENTS.markdown.ts src/claude.ts claude/a.py gemini/a.py
src/cursor.ts cursor/a.ts src/cursorrules.ts windsurf/a.ts aider/a.py continue/a.ts codex/a.rs amp/a.go kiro/a.ts
goose/a.rs devin/a.ts augment/a.ts src/mcp.ts src/mcp.json.ts src/prompts/a.md README.md CONTRIBUTING.md package.json
.gitignore .editorconfig .prettierrc .eslintrc.json tsconfig.json .github/ISSUE_TEMPLATE/bug.yml .github/FUNDING.yml
src/skill.md.ts src/licence-check.ts src/renovate.json.ts .env.example docs/rules.md src/.storybook/main.ts`
  .trim()
  .split(/\s+/);

describe("built-in protection", () => {
  it.each(PROTECTED)("covers %s", (path) => {
    for (const written of [path, path.toUpperCase(), `./${path}`, path.replace(/.$/, "$&\u200d"), `${path}.`])
      expect(protectedBy(written)).toBeDefined();
  });

  it.each(OPEN)("leaves %s alone", (path) => {
    expect(protectedBy(path)).toBeUndefined();
  });

  it.each(["check-files", "protected-files", "recorded-results"] as const)(
    "names each glob of %s once, without `!`, backslash or blank",
    (name) => {
      const globs = readList(name);
      expect(globs.filter((glob, at) => globs.indexOf(glob) !== at)).toEqual([]);
      expect(globs.filter((glob) => /^!|\\|\s/.test(glob))).toEqual([]);
    },
  );

  it("covers unrooted names in any folder", () => {
    const folder = fc.stringMatching(/^[a-z]{1,8}$/);
    const loose = readList("protected-files").filter((glob) => !glob.includes("/") && !glob.includes("*"));
    fc.assert(
      fc.property(fc.array(folder, { maxLength: 3 }), fc.constantFrom(...loose), (above, name) => {
        expect(protectedBy([...above, name].join("/"))).toBeDefined();
        expect(protectedBy([...above, `x${name}`].join("/"))).toBeUndefined();
      }),
    );
  });
});

describe("paths that git or a file system would refuse", () => {
  it.each([
    "",
    "/etc/passwd",
    "../a",
    "a/../../b",
    "a//b",
    "a/",
    "./a",
    "a\\b",
    "C:\\a",
    ".git/config",
    ".GIT/config",
    "a/.git/hooks/pre-commit",
    ".git /x",
    ".git./x",
    ".git. . /x",
    "git~1/config",
    "GIT~2",
    ".git::$INDEX_ALLOCATION/config",
    ".git:x",
    ".g\u200cit/config",
    ".gi\u00adt/config",
    "\ufeff.git/config",
    ".\u202egit/x",
    ".ｇit/config",
    ".\u200b./a",
    "a\nb",
    "a\u0000b",
    "a\u007fb",
    "a\ud800b",
    `${"a/".repeat(3_000)}b`,
  ])("are no paths in the repository: %j", (path) => {
    expect(faultOfPath(path)).toMatch(/not a path/);
  });

  it.each([
    "C:/a",
    "a:b",
    "a.txt:stream",
    "a.txt::$DATA",
    "src/a.",
    "src/a ",
    "src./a",
    " a",
    "con",
    "CON.txt",
    "a/Aux.c",
    "nul",
    "COM1",
    "lpt9.log",
    "com¹",
    "prn .txt",
    "CONIN$",
    "AGENTS~1.MD",
    "a?b",
    "a*b",
    "a|b",
    'a"b',
    "<a>",
    "a\u200bb.ts",
    "a\u202eb.ts",
    "a\u{e0061}.ts",
    `${"a".repeat(256)}`,
  ])("cannot name a new file: %j", (path) => {
    expect(faultOfPath(path)).toBeUndefined();
    expect(faultOfNewName(path)).toBeDefined();
  });

  it.each([
    "src/a.ts",
    ".github/a.yml",
    ".gitignore",
    "a/.gitkeep",
    "app/[id]/page.tsx",
    "app/(group)/@modal/a.tsx",
    "src/größe.ts",
    "日本/語.md",
    "console.ts",
    "auxiliary/com10.ts",
    "git~/a",
    "a~b/c",
    "...rest/a.ts",
    "a b/c d.md",
    "git/config",
    "x.git/config",
    "routes/$id.tsx",
    "a+b=c,d;e.ts",
  ])("do not include %j", (path) => {
    expect([faultOfPath(path), faultOfNewName(path)]).toEqual([undefined, undefined]);
  });
});
