import { describe, expect, it } from "@jest/globals";
import { createJudgingKind } from "../../src/change/edited-tests.ts";
import { createPathPolicy, faultOfNewName, faultOfPath } from "../../src/change/path-policy.ts";
import { readList } from "../../src/data/own-files.ts";
import { fc } from "../seeded.ts";

const { protectedBy } = createPathPolicy({});

const kindOf = createJudgingKind();

const words = (text: string) => text.trim().split(/\s+/);

const PROTECTED = words(`
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
CODEOWNERS docs/CODEOWNERS LICENSE LICENSE-MIT COPYING`);

const OPEN = words(`
src/action.ts actions.yml src/workflows/ci.yml docs/gitlab-ci.md src/gitlab-ci.yml.ts circleci/config.ts
azure-pipelines.md src/jenkinsfile-parser.ts JenkinsfileReader.java/a src/travis.yml drone.yml src/drone/a.ts
woodpecker/a.ts src/appveyor.ts src/husky/a.ts src/lefthook.ts lefthook/a.go docs/pre-commit.md githooks/a.go
src/gitmodules.ts gitattributes.ts src/devcontainer.json vscode/tasks.json src/vscode/extension.ts src/idea/a.kt
src/dependabot.ts src/renovate.ts src/agents.ts agents/a.ts AGENTS.markdown.ts src/claude.ts claude/a.py gemini/a.py
src/cursor.ts cursor/a.ts src/cursorrules.ts windsurf/a.ts aider/a.py continue/a.ts codex/a.rs amp/a.go kiro/a.ts
goose/a.rs devin/a.ts augment/a.ts src/mcp.ts src/mcp.json.ts src/prompts/a.md README.md CONTRIBUTING.md package.json
.gitignore .editorconfig .prettierrc .eslintrc.json tsconfig.json .github/ISSUE_TEMPLATE/bug.yml .github/FUNDING.yml
src/skill.md.ts src/licence-check.ts src/renovate.json.ts .env.example docs/rules.md src/.storybook/main.ts`);

/** What tools run or obey when they start. */
const REFUSED = words(`
  .cargo/config.toml .cargo/config crates/a/.cargo/config.toml rust-toolchain rust-toolchain.toml .mvn/extensions.xml
  .mvn/jvm.config .mvn/maven.config .mvn/wrapper/maven-wrapper.properties mvnw gradle.properties
  gradle/wrapper/gradle-wrapper.properties app/gradle/wrapper/gradle-wrapper.jar gradlew gradlew.bat .sbtopts .jvmopts
  project/build.properties .bazelrc .bazelversion tools/bazel .buckconfig pants.toml Directory.Build.rsp MSBuild.rsp
  NuGet.Config nuget.config global.json .config/dotnet-tools.json packages/a/.npmrc .yarnrc .yarn/releases/yarn.cjs
  a/.yarn/plugins/p.cjs .pnp.cjs pnpm-workspace.yaml bunfig.toml node.config.json sitecustomize.py
  src/usercustomize.py a.pth pyvenv.cfg venv/pyvenv.cfg .pdbrc pip.conf uv.toml jupyter_server_config.py
  .bundle/config .gemrc .irbrc .pryrc php.ini public/.user.ini auth.json .erlang .iex.exs .Rprofile .Renviron .ghci
  .proverc profiles.clj .gdbinit .lldbinit .valgrindrc a-gdb.py .tool-versions mise.toml .mise.toml mise.local.toml
  .config/mise.toml .config/mise/config.toml mise/config.toml .mise/tasks/a .autoenv flake.nix shell.nix devenv.nix
  devbox.json ansible.cfg .husky/pre-push .idea/workspace.xml .run/a.run.xml .helix/languages.toml captainhook.json`);

/** What a fix may well need to change, and a maintainer has to see. */
const SHOWN = words(`
  conftest.py tests/conftest.py tox.ini noxfile.py Directory.Build.props src/Directory.Build.targets
  Directory.Packages.props .ruby-version .python-version .nvmrc .node-version .rspec Guardfile deno.json deno.jsonc
  justfile .justfile Justfile Taskfile.yml taskfile.yaml GNUmakefile CMakePresets.json go.work settings.gradle
  nx.json turbo.json babel.config.js .babelrc .env .env.test compose.override.yml tests.edn stack.yaml
  properties/launchSettings.json buildSrc/src/main/kotlin/a.kt default.nix`);

const ORDINARY = words(`
  src/cargo/config.toml.ts docs/cargo.md src/mvn.ts src/gradle/properties.ts npmrc.ts src/npmrc/a.ts pnpm.ts
  sitecustomize.md src/site.py pth/a.py src/bundle/config.rb mise/a.ts src/mise.ts docs/flake.md env.ts .env.example
  src/global.ts global.jsonc.ts tests/test_conftest.py src/tox.py justfile.md src/go/work.go setup.py
  src/babel.ts .gitignore go.mod Gemfile`);

/** Other spellings that some file system takes for the path. */
const spelt = (path: string) => [
  path,
  path.toUpperCase(),
  `./${path}`,
  `a/../${path}`,
  `${path}.`,
  path.replace(/.$/, "$&\u200d"),
];

describe("built-in protection", () => {
  it.each(PROTECTED)("covers %s", (path) => {
    for (const written of spelt(path)) expect(protectedBy(written)).toBeDefined();
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

describe("files that tools read when they start", () => {
  it.each(REFUSED)("protects %s in any spelling, and shows a change of it when that is lifted", (path) => {
    for (const one of spelt(path)) expect(protectedBy(one)).toBeDefined();
    expect(kindOf(path)).toBe("configuration");
  });

  it.each(SHOWN)("allows a change of %s, and shows it to the maintainers", (path) => {
    expect(protectedBy(path)).toBeUndefined();
    expect(kindOf(path)).toBe("configuration");
  });

  it.each(ORDINARY)("treats %s as an ordinary file", (path) => {
    expect(protectedBy(path)).toBeUndefined();
    expect(kindOf(path)).not.toBe("configuration");
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
