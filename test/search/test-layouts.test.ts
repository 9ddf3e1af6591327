import { describe, expect, it } from "@jest/globals";
import { classifyFile } from "../../src/search/classify-file.ts";

const groupOf = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group;

/** Layouts of public projects: the project, its tests, and files that are no tests. */
const LAYOUTS: readonly (readonly [project: string, tests: readonly string[], others: readonly string[]])[] = [
  ["expressjs/express", ["test/app.use.js", "test/support/utils.js"], ["lib/express.js", "test/fixtures/user.tmpl"]],
  ["sindresorhus/p-map", ["test.js", "test-multiple-pmaps-in-one.js", "index.test-d.ts"], ["index.js", "index.d.ts"]],
  [
    "changesets/changesets",
    ["packages/parse/test.ts", "scripts/tests.js"],
    ["packages/cli/src/runtime/runners/test.ts"],
  ],
  ["lodash/lodash", ["test/test.js", "test/add.spec.js"], ["lodash.js"]],
  ["facebook/react", ["packages/react/src/__tests__/ReactHooks-test.js"], ["packages/react-dom/test-utils.js"]],
  ["facebook/jest", ["e2e/__tests__/cli.test.ts"], ["packages/jest-runner/src/runTest.ts"]],
  ["angular/angular", ["packages/core/test/acceptance/di_spec.ts"], ["packages/core/testing/src/test_bed.ts"]],
  ["microsoft/TypeScript", ["src/testRunner/unittests/paths.ts"], ["src/compiler/checker.ts"]],
  [
    "webpack/webpack",
    ["test/Compiler.test.js", "test/configCases/context/src/main/a.js"],
    ["lib/Compiler.js", "test/fixtures/a.js"],
  ],
  ["prettier/prettier", ["tests/format/js/arrows/format.test.js"], ["tests/format/js/arrows/__snapshots__/a.snap"]],
  ["atom/atom", ["spec/atom-environment-spec.js"], ["src/atom-environment.js"]],
  ["cypress-io/cypress-example", ["cypress/e2e/login.cy.js"], ["cypress.config.js", "cypress/fixtures/user.json"]],
  ["pytest-dev/pytest", ["testing/test_config.py", "testing/conftest.py"], ["src/_pytest/config/__init__.py"]],
  [
    "django/django",
    ["tests/basic/tests.py", "tests/runtests.py"],
    ["django/test/client.py", "django/db/models/base.py"],
  ],
  ["python/cpython", ["Lib/test/test_json.py", "Lib/test/support/__init__.py"], ["Lib/json/decoder.py"]],
  ["numpy/numpy", ["numpy/ma/tests/test_core.py"], ["numpy/testing/overrides.py", "numpy/ma/core.py"]],
  ["golang/go", ["src/fmt/print_test.go"], ["src/cmd/go/internal/test/test.go", "src/fmt/print.go"]],
  ["kubernetes/kubernetes", ["test/e2e/framework/util.go", "pkg/api/pod_test.go"], ["pkg/api/pod.go"]],
  [
    "rust-lang/rust",
    ["library/core/tests/any.rs"],
    ["library/test/src/lib.rs", "compiler/rustc_target/src/spec/mod.rs"],
  ],
  ["BurntSushi/ripgrep", ["tests/regression.rs", "crates/regex/src/tests.rs"], ["crates/regex/src/lib.rs"]],
  [
    "spring-projects/spring-framework",
    ["spring-core/src/test/java/org/a/ATests.java"],
    ["spring-test/src/main/java/org/springframework/test/context/TestContext.java"],
  ],
  [
    "apache/maven",
    ["src/it/mng-1/src/Check.java", "core/src/test/java/a/ModelIT.java"],
    ["core/src/main/java/a/Model.java"],
  ],
  ["apache/ant", ["Test.java", "src/tests/junit/org/apache/ATest.java"], ["src/main/org/apache/Contest.java"]],
  [
    "square/kotlinpoet",
    ["kotlinpoet/src/commonTest/kotlin/a/B.kt"],
    ["kotlinpoet/src/commonMain/kotlin/a/TypeSpec.kt"],
  ],
  ["scala/scala", ["test/junit/scala/ArrayTest.scala", "core/ParserSpec.scala"], ["src/library/scala/Array.scala"]],
  ["JamesNK/Newtonsoft.Json", ["Src/Newtonsoft.Json.Tests/JsonTests.cs"], ["Src/Newtonsoft.Json/JsonReader.cs"]],
  ["rubocop/rubocop", ["spec/rubocop/cop/lint/void_spec.rb", "spec/spec_helper.rb"], ["lib/rubocop/cop/lint/void.rb"]],
  ["cucumber/cucumber-ruby", ["features/step_definitions/a.rb", "features/a.feature"], ["lib/cucumber/runtime.rb"]],
  ["php/php-src", ["Zend/tests/bug1.phpt"], ["Zend/zend.c"]],
  ["llvm/llvm-project", ["llvm/unittests/ADT/APIntTest.cpp"], ["llvm/lib/Support/APInt.cpp"]],
  ["chromium/chromium", ["base/values_unittest.cc", "chrome/a_browsertest.cc"], ["base/values.cc"]],
  ["torvalds/linux", ["tools/testing/selftests/bpf/a.c", "lib/hash_kunit.c"], ["lib/hash.c"]],
  ["git/git", ["t/t0001-init.sh", "t/helper/test-tool.c"], ["builtin/init-db.c"]],
  ["mojolicious/mojo", ["t/mojo/app.t"], ["lib/Mojo/UserAgent.pm", "lib/Test/Mojo.pm"]],
  ["AFNetworking/AFNetworking", ["AppTests/Helper.m", "AppUITests/AppUITests.swift"], ["AFNetworking/AFURLSession.m"]],
  ["erlang/otp", ["lib/stdlib/test/lists_SUITE.erl"], ["lib/stdlib/src/lists.erl"]],
  ["tidyverse/dplyr", ["tests/testthat/test-filter.R"], ["R/filter.R"]],
  ["ansible/ansible", ["test/units/parsing/test_yaml.py"], ["lib/ansible/plugins/test/core.py"]],
  ["linux-test-project/ltp", ["testcases/kernel/syscalls/open/open01.c"], ["lib/tst_res.c"]],
  ["sqlite/sqlite", ["test/select1.test", "test/tester.tcl"], ["src/select.c"]],
  ["zsh-users/zsh", ["Test/A01grammar.ztst"], ["Src/exec.c", "Test/Makefile.in"]],
  [
    "crystal-lang/crystal",
    ["spec/std/array_spec.cr", "spec/spec_helper.cr"],
    ["src/spec/context.cr", "src/spec/dsl.cr"],
  ],
  [
    "vim/vim",
    ["src/testdir/test_alot.vim"],
    ["src/testdir/dumps/Test_VertSplitNC_1.dump", "runtime/autoload/netrw.vim"],
  ],
  ["foundry-rs/forge-template", ["src/test/Greeter.t.sol", "test/Contract.t.sol"], ["src/Greeter.sol"]],
  [
    "PowerShell/PowerShell",
    ["test/powershell/Language/Parser/Ast.Tests.ps1", "test/powershell/Language/LanguageTestSupport.psm1"],
    ["src/System.Management.Automation/engine/Utils.cs"],
  ],
  ["open-logic/open-logic", ["test/base/olo_base_cam/olo_base_cam_tb.vhd"], ["src/base/vhdl/olo_base_cam.vhd"]],
  ["octokit/octokit.net", ["Octokit.Tests.Integration/Helpers/RepositoryContext.cs"], ["Octokit/Models/Repository.cs"]],
  ["openssh/openssh-portable", ["regress/agent.sh"], ["sshd.c"]],
  ["KDE/kcoreaddons", ["autotests/kaboutdatatest.cpp", "autotests/jsonplugin.cpp"], ["src/lib/kaboutdata.cpp"]],
  [
    "android/nowinandroid",
    ["app/src/testDemo/kotlin/com/google/samples/apps/nowinandroid/ui/TestUtil.kt"],
    ["app/src/main/kotlin/com/google/samples/apps/nowinandroid/ui/NiaApp.kt"],
  ],
  ["clouddrove/terraform-aws-bastion", ["tests/defaults.tftest.hcl"], ["main.tf", "tests/setup/outputs.tf"]],
  ["cucumber/a Java project", ["src/test/resources/a.feature"], ["src/test/resources/schema.sql"]],
  ["brendan/a deep folder", ["lib/a/b/test/x.js", "src/test.js", "spec.ts"], ["lib/a/b/latest/x.js", "src/contest.js"]],
];

describe("tests of public projects", () => {
  it.each(LAYOUTS)("are recognised in %s", (_project, tests, others) => {
    expect(tests.filter((path) => groupOf(path) !== "test")).toEqual([]);
    expect(others.filter((path) => groupOf(path) === "test")).toEqual([]);
  });

  it.each([
    ["tests/index.html", "fixture"],
    ["test/app/style.css", "fixture"],
    ["tests/baselines/reference/a.js", "fixture"],
    ["tests/snapshots/cli.bash", "fixture"],
    ["test/cases/__snapshots__/a.js.snap", null],
    ["api/openapi.spec.json", "data"],
    ["src/Button.stories.tsx", "example"],
    ["Contest.java", "source"],
    ["src/latest.py", "source"],
    ["src/latest/java/a/B.java", "source"],
    ["src/contests/a.py", "source"],
    ["src/requests/a.py", "source"],
    ["src/Microsoft.Extensions.TestHost/A.cs", "source"],
    ["src/Microsoft.NET.Test.Sdk/A.cs", "source"],
    ["src/e2eTest/java/a/B.java", "test"],
    ["src/iosSimulatorArm64Test/kotlin/a/B.kt", "test"],
    ["src/itest/java/a/B.java", "test"],
    ["Foo.UnitTests/Helper.cs", "test"],
    ["Foo.Specs/Helper.cs", "test"],
    ["TestProject1/UnitTest1.cs", "test"],
    ["src/__specs__/a.js", "test"],
    ["apitests/a.py", "test"],
    ["test2/a.py", "test"],
    ["tst_window.cpp", "test"],
    ["src/Manifest.cs", "source"],
    ["src/protest/index.js", "source"],
    ["src/spec/parser.go", "source"],
    ["src/inspect.ts", "source"],
  ])("are told from other files: %s is %s", (path, group) => {
    expect(groupOf(path)).toBe(group);
  });
});
