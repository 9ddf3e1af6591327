/**
 * What is protected unless `unprotect` lifts it, in the form of .gitignore, in any case of letters: whatever runs with
 * somebody's rights before a person has read it, or tells agents what to do; who must review; the licence.
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
    .overcommit.yml .overcommit .simple-git-hooks.* simple-git-hooks.* .lintstagedrc* lint-staged.config.*
    .gitmodules .gitattributes .gitconfig .lfsconfig`,
  "machines and editors": `
    .devcontainer .devcontainer.json .gitpod.yml .gitpod.Dockerfile .gitpod .replit devfile.yaml .devfile.yaml
    .envrc .vscode *.code-workspace .idea .fleet .zed .nvim.lua .nvimrc .exrc .vimrc .lvimrc .dir-locals.el
    *.sublime-project .npmrc .yarnrc .yarnrc.yml .yarn/releases/** .yarn/plugins/**
    .pnpmfile.cjs`,
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

/** All of them, as documented. */
export const PROTECTED_PATHS: readonly string[] = Object.values(GROUPS).flatMap((names) => names.trim().split(/\s+/));
