import { describe, expect, it } from "@jest/globals";
import { createJudgingKind } from "../../src/change/edited-tests.ts";
import { createPathPolicy } from "../../src/change/path-policy.ts";

const { protectedBy } = createPathPolicy({});

const kindOf = createJudgingKind();

const words = (text: string) => text.trim().split(/\s+/);

const REFUSED = words(`
  .cargo/config.toml .cargo/config crates/a/.cargo/config.toml rust-toolchain rust-toolchain.toml
  .mvn/extensions.xml .mvn/jvm.config .mvn/maven.config .mvn/wrapper/maven-wrapper.properties mvnw
  gradle.properties gradle/wrapper/gradle-wrapper.properties app/gradle/wrapper/gradle-wrapper.jar gradlew gradlew.bat
  .sbtopts .jvmopts project/build.properties .bazelrc .bazelversion tools/bazel .buckconfig pants.toml
  Directory.Build.rsp MSBuild.rsp NuGet.Config nuget.config global.json .config/dotnet-tools.json
  .npmrc packages/a/.npmrc .yarnrc .yarnrc.yml .yarn/releases/yarn.cjs a/.yarn/plugins/p.cjs .pnp.cjs
  pnpm-workspace.yaml .pnpmfile.cjs bunfig.toml node.config.json
  sitecustomize.py src/usercustomize.py a.pth pyvenv.cfg venv/pyvenv.cfg .pdbrc pip.conf uv.toml jupyter_server_config.py
  .bundle/config .gemrc .irbrc .pryrc php.ini public/.user.ini auth.json .erlang .iex.exs .Rprofile .Renviron .ghci
  .proverc profiles.clj .gdbinit .lldbinit .valgrindrc a-gdb.py .tool-versions mise.toml .mise.toml mise.local.toml
  .config/mise.toml .config/mise/config.toml mise/config.toml .mise/tasks/a .envrc .autoenv
  flake.nix shell.nix devenv.nix devbox.json ansible.cfg
  lefthook.yml .husky/pre-push .pre-commit-config.yaml .devcontainer/devcontainer.json .vscode/tasks.json
  .idea/workspace.xml .run/a.run.xml .helix/languages.toml captainhook.json`);

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

describe("files that tools read when they start", () => {
  it.each(REFUSED)("protects %s in any spelling", (path) => {
    const spelt = [path, path.toUpperCase(), `./${path}`, `a/../${path}`, `${path}.`, path.replace(/.$/, "$&\u200d")];
    for (const one of spelt) expect(protectedBy(one)).toBeDefined();
  });

  it.each(REFUSED)("shows a change of %s to the maintainers when its protection is lifted", (path) => {
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
