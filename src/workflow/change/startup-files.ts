/** What one tool reads by itself at start; globs in the form of .gitignore. */
interface StartupFiles {
  readonly tool: string;
  /** the documentation that says so */
  readonly source: string;
  /** files only for naming programs, code, or sources of code: never changed */
  readonly refused?: string;
  /** files that a change may well need, although they also say what runs: changed, and shown to maintainers */
  readonly shown?: string;
}

/**
 * Files that run or steer a build, a test or a shell without being asked for: the tool finds them by name, in the
 * folder where it starts or above. To add a tool, add it here and nowhere else.
 */
const STARTUP_FILES: readonly StartupFiles[] = [
  {
    tool: "Cargo",
    source: "https://doc.rust-lang.org/cargo/reference/config.html",
    refused: ".cargo",
  },
  {
    tool: "rustup",
    source: "https://rust-lang.github.io/rustup/overrides.html",
    refused: "rust-toolchain rust-toolchain.toml",
  },
  {
    tool: "Maven",
    source: "https://maven.apache.org/configure.html",
    refused: ".mvn mvnw mvnw.cmd .mavenrc",
  },
  {
    tool: "Gradle",
    source: "https://docs.gradle.org/current/userguide/build_environment.html",
    refused: "gradle.properties **/gradle/wrapper/** gradlew gradlew.bat **/gradle/gradle-daemon-jvm.properties",
    shown: "settings.gradle settings.gradle.kts **/buildSrc/** init.gradle init.gradle.kts *.init.gradle",
  },
  {
    tool: "sbt",
    source: "https://www.scala-sbt.org/1.x/docs/Command-Line-Reference.html",
    refused: ".sbtopts .jvmopts .sbtrc **/project/build.properties",
    shown: "**/project/*.sbt",
  },
  {
    tool: "Bazel",
    source: "https://bazel.build/run/bazelrc",
    refused: ".bazelrc .bazelversion .bazeliskrc /tools/bazel",
  },
  {
    tool: "Buck",
    source: "https://buck2.build/docs/concepts/buckconfig/",
    refused: ".buckconfig .buckconfig.local .buckconfig.d .buckversion .buckjavaargs",
  },
  {
    tool: "Pants",
    source: "https://www.pantsbuild.org/stable/docs/using-pants/key-concepts/options",
    refused: ".pants.rc .pants.bootstrap pants.toml pants.*.toml",
  },
  {
    tool: "MSBuild",
    source: "https://learn.microsoft.com/visualstudio/msbuild/msbuild-response-files",
    refused: "Directory.Build.rsp MSBuild.rsp",
    shown: `
      Directory.Build.props Directory.Build.targets Directory.Packages.props Directory.Solution.props
      Directory.Solution.targets before.*.sln.targets after.*.sln.targets *.csproj.user *.vcxproj.user`,
  },
  {
    tool: "NuGet",
    source: "https://learn.microsoft.com/nuget/consume-packages/configuring-nuget-behavior",
    refused: "nuget.config",
  },
  {
    tool: "dotnet",
    source: "https://learn.microsoft.com/dotnet/core/tools/global-json",
    refused: "global.json dotnet-tools.json",
    shown: "*.runtimeconfig.json runtimeconfig.template.json launchSettings.json",
  },
  {
    tool: "npm",
    source: "https://docs.npmjs.com/cli/configuring-npm/npmrc",
    refused: ".npmrc",
  },
  {
    tool: "Yarn",
    source: "https://yarnpkg.com/configuration/yarnrc",
    refused:
      ".yarnrc .yarnrc.yml **/.yarn/releases/** **/.yarn/plugins/** **/.yarn/sdks/** .pnp.js .pnp.cjs .pnp.loader.mjs",
    shown: "**/.yarn/patches/** yarn.config.cjs",
  },
  {
    tool: "pnpm",
    source: "https://pnpm.io/settings",
    refused: "pnpm-workspace.yaml .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js",
  },
  {
    tool: "Bun",
    source: "https://bun.sh/docs/runtime/bunfig",
    refused: "bunfig.toml .bunfig.toml",
  },
  {
    tool: "Deno",
    source: "https://docs.deno.com/runtime/fundamentals/configuration/",
    shown: "deno.json deno.jsonc",
  },
  {
    tool: "Node.js",
    source: "https://nodejs.org/api/cli.html#--experimental-default-config-file",
    refused: "node.config.json",
    shown: ".nvmrc .node-version",
  },
  {
    tool: "Babel",
    source: "https://babeljs.io/docs/config-files",
    shown: "babel.config.* .babelrc .babelrc.* .swcrc",
  },
  {
    tool: "monorepo runners",
    source: "https://nx.dev/reference/nx-json",
    shown: "nx.json turbo.json turbo.jsonc lerna.json rush.json wireit.json moon.yml **/.moon/**",
  },
  {
    tool: "Python",
    source: "https://docs.python.org/3/library/site.html",
    refused: "sitecustomize.py usercustomize.py *.pth *._pth pyvenv.cfg .pdbrc",
    shown: ".python-version",
  },
  {
    tool: "pip",
    source: "https://pip.pypa.io/en/stable/topics/configuration/",
    refused: "pip.conf pip.ini .pypirc .pydistutils.cfg",
  },
  {
    tool: "uv",
    source: "https://docs.astral.sh/uv/concepts/configuration-files/",
    refused: "uv.toml .condarc",
    shown: "poetry.toml pdm.toml .pdm.toml hatch.toml pixi.toml",
  },
  {
    tool: "pytest",
    source: "https://docs.pytest.org/en/stable/how-to/writing_plugins.html",
    shown: "conftest.py",
  },
  {
    tool: "tox and nox",
    source: "https://tox.wiki/en/latest/config.html",
    shown: "tox.ini tox.toml toxfile.py noxfile.py",
  },
  {
    tool: "IPython and Jupyter",
    source: "https://jupyter.readthedocs.io/en/latest/use/jupyter-directories.html",
    refused:
      "ipython_config.py ipython_*_config.py jupyter_config.py jupyter_*_config.py jupyter_*_config.json .ropeproject",
  },
  {
    tool: "Bundler",
    source: "https://bundler.io/man/bundle-config.1.html",
    refused: ".bundle .gemrc",
  },
  {
    tool: "Ruby",
    source: "https://docs.ruby-lang.org/en/master/IRB.html",
    refused: ".irbrc .pryrc .rdbgrc .byebugrc .autotest",
    shown: ".ruby-version .ruby-gemset .rspec .rspec-local Guardfile",
  },
  {
    tool: "PHP",
    source: "https://www.php.net/manual/configuration.file.php",
    refused: "php.ini .user.ini auth.json",
    shown: ".php-version",
  },
  {
    tool: "Go",
    source: "https://go.dev/ref/mod#workspaces",
    shown: "go.work .go-version",
  },
  {
    tool: "Erlang and Elixir",
    source: "https://www.erlang.org/doc/apps/erts/erl_cmd.html",
    refused: ".erlang .iex.exs",
  },
  {
    tool: "R",
    source: "https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html",
    refused: ".Rprofile .Renviron Rprofile.site",
  },
  {
    tool: "GHCi and OCaml",
    source: "https://downloads.haskell.org/ghc/latest/docs/users_guide/ghci.html",
    refused: ".ghci .ocamlinit",
    shown: "cabal.project cabal.project.local stack.yaml",
  },
  {
    tool: "prove",
    source: "https://perldoc.perl.org/prove",
    refused: ".proverc .perldb",
  },
  {
    tool: "Clojure",
    source: "https://codeberg.org/leiningen/leiningen/src/branch/main/doc/PROFILES.md",
    refused: "profiles.clj .nrepl.edn .lein-env",
    shown: "tests.edn",
  },
  {
    tool: "debuggers",
    source: "https://sourceware.org/gdb/current/onlinedocs/gdb.html/Init-File-in-the-Current-Directory.html",
    refused: ".gdbinit .lldbinit .valgrindrc *-gdb.py *-gdb.gdb",
  },
  {
    tool: "CMake",
    source: "https://cmake.org/cmake/help/latest/manual/cmake-presets.7.html",
    shown: "CMakePresets.json CMakeUserPresets.json CTestConfig.cmake CTestCustom.cmake",
  },
  {
    tool: "make, in place of a Makefile",
    source: "https://www.gnu.org/software/make/manual/html_node/Makefile-Names.html",
    shown: "GNUmakefile",
  },
  {
    tool: "just and Task",
    source: "https://just.systems/man/en/",
    shown: "justfile .justfile Taskfile.yml Taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml",
  },
  {
    tool: "Dart",
    source: "https://melos.invertase.dev/configuration/overview",
    shown: "melos.yaml .fvmrc",
  },
  {
    tool: "Swift",
    source: "https://www.swift.org/swiftly/documentation/swiftly/use-toolchains",
    shown: ".swift-version *.xcconfig Fastfile",
  },
  {
    tool: "asdf and mise",
    source: "https://mise.jdx.dev/configuration.html",
    refused: `
      .tool-versions mise.toml mise.*.toml .mise.toml .mise.*.toml .mise **/mise/config.toml
      **/mise/config.*.toml **/.config/mise.toml .mise-tasks mise-tasks .rtx.toml`,
    shown: ".java-version .sdkmanrc",
  },
  {
    tool: "direnv and the like",
    source: "https://direnv.net/",
    refused: ".envrc .envrc.* .autoenv .autoenv.zsh .autoenv_leave.zsh .env.zsh",
    shown: ".env .env.local .env.test .env.test.local .env.development .env.production .flaskenv",
  },
  {
    tool: "Nix",
    source: "https://nix.dev/manual/nix/latest/command-ref/nix-shell",
    refused: "flake.nix shell.nix devenv.nix devenv.yaml devenv.local.nix devbox.json .flox",
    shown: "default.nix",
  },
  {
    tool: "Docker Compose",
    source: "https://docs.docker.com/compose/how-tos/multiple-compose-files/merge/",
    shown: "compose.override.y*ml docker-compose.override.y*ml Vagrantfile Tiltfile",
  },
  {
    tool: "Ansible",
    source: "https://docs.ansible.com/ansible/latest/reference_appendices/config.html",
    refused: "ansible.cfg .actrc .vagrantplugins",
  },
];

const words = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** Globs of files that are never changed. */
export const REFUSED_STARTUP_FILES: readonly string[] = STARTUP_FILES.flatMap(({ refused }) => words(refused));

/** Globs of all these files, including those protected unless somebody lifts that. */
export const REPORTED_STARTUP_FILES: readonly string[] = STARTUP_FILES.flatMap(({ refused, shown }) => [
  ...words(refused),
  ...words(shown),
]);
