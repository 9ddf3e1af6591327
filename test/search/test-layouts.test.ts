import { describe, expect, it } from "@jest/globals";
import { classifyFile } from "../../src/search/classify-file.ts";

const groupOf = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group;

/** Public projects as they are laid out: project, its tests, what is no test there. */
const LAYOUTS: readonly (readonly [project: string, tests: readonly string[], others: readonly string[]])[] = [
  ["expressjs/express", ["test/app.use.js", "test/support/utils.js"], ["lib/express.js", "test/fixtures/user.tmpl"]],
  ["substack/minimist", ["test/parse.js", "test.js"], ["index.js"]],
  ["sindresorhus/got", ["test/http.ts", "index.test-d.ts"], ["source/index.ts"]],
  ["sindresorhus/p-map", ["test.js", "test-multiple-pmaps-in-one.js", "index.test-d.ts"], ["index.js", "index.d.ts"]],
  ["lodash/lodash", ["test/test.js", "test/add.spec.js"], ["lodash.js"]],
  ["facebook/react", ["packages/react/src/__tests__/ReactHooks-test.js"], ["packages/react-dom/test-utils.js"]],
  ["facebook/jest", ["e2e/__tests__/cli.test.ts"], ["packages/jest-runner/src/runTest.ts"]],
  ["vuejs/core", ["packages/runtime-core/__tests__/h.spec.ts"], ["packages/runtime-core/src/h.ts"]],
  ["angular/angular", ["packages/core/test/acceptance/di_spec.ts"], ["packages/core/testing/src/test_bed.ts"]],
  ["microsoft/vscode", ["src/vs/base/test/common/uri.test.ts"], ["src/vs/base/common/uri.ts"]],
  ["microsoft/TypeScript", ["src/testRunner/unittests/paths.ts"], ["src/compiler/checker.ts"]],
  [
    "webpack/webpack",
    ["test/Compiler.test.js", "test/configCases/context/src/main/a.js"],
    ["lib/Compiler.js", "test/fixtures/a.js"],
  ],
  ["babel/babel", ["packages/babel-core/test/api.js"], ["packages/babel-core/src/index.ts"]],
  ["prettier/prettier", ["tests/format/js/arrows/format.test.js"], ["tests/format/js/arrows/__snapshots__/a.snap"]],
  ["eslint/eslint", ["tests/lib/rules/semi.js"], ["lib/rules/semi.js", "tests/fixtures/rules/a.js"]],
  ["emberjs/ember.js", ["packages/@ember/array/tests/array_test.js"], ["packages/@ember/array/index.ts"]],
  ["atom/atom", ["spec/atom-environment-spec.js"], ["src/atom-environment.js"]],
  ["jhipster/jhipster-sample-app", ["src/main/webapp/app/home/home.component.spec.ts"], ["src/main/webapp/app/a.ts"]],
  ["storybookjs/storybook", ["code/core/src/a.test.tsx"], ["code/core/src/Button.stories.tsx"]],
  ["cypress-io/cypress-example", ["cypress/e2e/login.cy.js"], ["cypress.config.js", "cypress/fixtures/user.json"]],
  ["colinhacks/zod", ["packages/zod/src/v4/classic/tests/string.test.ts"], ["packages/zod/src/v4/core/schemas.ts"]],
  ["pytest-dev/pytest", ["testing/test_config.py", "testing/conftest.py"], ["src/_pytest/config/__init__.py"]],
  [
    "django/django",
    ["tests/basic/tests.py", "tests/runtests.py"],
    ["django/test/client.py", "django/db/models/base.py"],
  ],
  ["python/cpython", ["Lib/test/test_json.py", "Lib/test/support/__init__.py"], ["Lib/json/decoder.py"]],
  ["twisted/twisted", ["src/twisted/web/test/requesthelper.py"], ["src/twisted/web/http.py"]],
  ["pallets/flask", ["tests/test_basic.py"], ["src/flask/testing.py"]],
  ["numpy/numpy", ["numpy/ma/tests/test_core.py"], ["numpy/testing/overrides.py", "numpy/ma/core.py"]],
  ["scrapy/scrapy", ["tests/test_crawl.py"], ["tests/sample_data/feeds/feed.py", "scrapy/crawler.py"]],
  ["kennethreitz/records", ["test.py", "tests/test_records.py"], ["records.py"]],
  ["golang/go", ["src/fmt/print_test.go"], ["src/cmd/go/internal/test/test.go", "src/fmt/print.go"]],
  ["gin-gonic/gin", ["gin_test.go"], ["gin.go", "testdata/template/a.tmpl"]],
  ["kubernetes/kubernetes", ["test/e2e/framework/util.go", "pkg/api/pod_test.go"], ["pkg/api/pod.go"]],
  ["opencontainers/runc", ["tests/integration/run.bats"], ["libcontainer/specconv/spec_linux.go"]],
  [
    "rust-lang/rust",
    ["library/core/tests/any.rs"],
    ["library/test/src/lib.rs", "compiler/rustc_target/src/spec/mod.rs"],
  ],
  ["rust-lang/cargo", ["tests/testsuite/build.rs"], ["src/bin/cargo/commands/test.rs"]],
  ["clap-rs/clap", ["tests/builder/help.rs"], ["clap_complete/tests/snapshots/basic.bash", "clap_lex/src/lib.rs"]],
  ["BurntSushi/ripgrep", ["tests/regression.rs", "crates/regex/src/tests.rs"], ["crates/regex/src/lib.rs"]],
  [
    "google/gson",
    ["gson/src/test/java/com/google/gson/GsonTest.java"],
    ["gson/src/main/java/com/google/gson/Gson.java"],
  ],
  ["junit-team/junit4", ["src/test/java/org/junit/AssertTest.java"], ["src/main/java/org/junit/Test.java"]],
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
  ["square/okhttp", ["okhttp/src/jvmTest/kotlin/a/CallTest.kt"], ["okhttp/src/commonMain/kotlin/a/Call.kt"]],
  [
    "square/kotlinpoet",
    ["kotlinpoet/src/commonTest/kotlin/a/B.kt"],
    ["kotlinpoet/src/commonMain/kotlin/a/TypeSpec.kt"],
  ],
  ["Kotlin/kotlinx.coroutines", ["core/jvm/test/FlowTest.kt"], ["kotlinx-coroutines-test/common/src/TestScope.kt"]],
  ["scala/scala", ["test/junit/scala/ArrayTest.scala", "core/ParserSpec.scala"], ["src/library/scala/Array.scala"]],
  ["JamesNK/Newtonsoft.Json", ["Src/Newtonsoft.Json.Tests/JsonTests.cs"], ["Src/Newtonsoft.Json/JsonReader.cs"]],
  ["dotnet/runtime", ["src/libraries/System.Linq/tests/AnyTests.cs"], ["src/libraries/System.Linq/src/Any.cs"]],
  ["rubocop/rubocop", ["spec/rubocop/cop/lint/void_spec.rb", "spec/spec_helper.rb"], ["lib/rubocop/cop/lint/void.rb"]],
  ["minitest/minitest", ["test/minitest/test_minitest_test.rb"], ["lib/minitest/test.rb", "lib/minitest/spec.rb"]],
  ["rails/rails", ["activerecord/test/cases/base_test.rb"], ["activesupport/lib/active_support/test_case.rb"]],
  ["cucumber/cucumber-ruby", ["features/step_definitions/a.rb", "features/a.feature"], ["lib/cucumber/runtime.rb"]],
  ["symfony/symfony", ["src/Symfony/Component/Yaml/Tests/ParserTest.php"], ["src/Symfony/Component/Yaml/Parser.php"]],
  ["phpstan/phpstan-src", ["tests/PHPStan/Rules/ATest.php"], ["tests/PHPStan/Rules/data/a.php", "src/Rules/Rule.php"]],
  ["php/php-src", ["Zend/tests/bug1.phpt"], ["Zend/zend.c"]],
  ["cakephp/cakephp", ["tests/TestCase/Core/AppTest.php"], ["src/TestSuite/Fixture/FixtureHelper.php"]],
  ["google/googletest", ["googletest/test/gtest_unittest.cc"], ["googletest/src/gtest.cc"]],
  ["llvm/llvm-project", ["llvm/unittests/ADT/APIntTest.cpp"], ["llvm/lib/Support/APInt.cpp"]],
  ["chromium/chromium", ["base/values_unittest.cc", "chrome/a_browsertest.cc"], ["base/values.cc"]],
  ["torvalds/linux", ["tools/testing/selftests/bpf/a.c", "lib/hash_kunit.c"], ["lib/hash.c"]],
  ["git/git", ["t/t0001-init.sh", "t/helper/test-tool.c"], ["builtin/init-db.c"]],
  ["mojolicious/mojo", ["t/mojo/app.t"], ["lib/Mojo/UserAgent.pm", "lib/Test/Mojo.pm"]],
  ["Alamofire/Alamofire", ["Tests/RequestTests.swift"], ["Source/Core/Request.swift"]],
  ["AFNetworking/AFNetworking", ["AppTests/Helper.m", "AppUITests/AppUITests.swift"], ["AFNetworking/AFURLSession.m"]],
  ["dart-lang/http", ["pkgs/http/test/request_test.dart"], ["pkgs/http/lib/src/request.dart"]],
  ["elixir-lang/elixir", ["lib/elixir/test/elixir/map_test.exs"], ["lib/elixir/lib/map.ex"]],
  ["erlang/otp", ["lib/stdlib/test/lists_SUITE.erl"], ["lib/stdlib/src/lists.erl"]],
  ["haskell/aeson", ["tests/Tests.hs", "test/Spec.hs"], ["src/Data/Aeson.hs"]],
  ["lunarmodules/luassert", ["spec/assert_spec.lua"], ["src/assert.lua"]],
  ["tidyverse/dplyr", ["tests/testthat/test-filter.R"], ["R/filter.R"]],
  ["JuliaLang/Example.jl", ["test/runtests.jl"], ["src/Example.jl"]],
  ["ansible/ansible", ["test/units/parsing/test_yaml.py"], ["lib/ansible/plugins/test/core.py"]],
  ["linux-test-project/ltp", ["testcases/kernel/syscalls/open/open01.c"], ["lib/tst_res.c"]],
  ["sqlite/sqlite", ["test/select1.test", "test/tester.tcl"], ["src/select.c"]],
  ["zsh-users/zsh", ["Test/A01grammar.ztst"], ["Src/exec.c", "Test/Makefile.in"]],
  ["tokio-rs/tokio", ["tokio-test/tests/io.rs", "tokio/tests/fs.rs"], ["tokio-test/src/io.rs"]],
  ["bitwes/Gut", ["test/integration/test_doubler_and_spy.gd", "test/gut_test.gd"], ["addons/gut/doubler.gd"]],
  ["libcheck/check", ["tests/check_list.c", "tests/test_output.sh"], ["src/check_run.c"]],
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
  ["vim-test/vim-test", ["spec/pytest_spec.vim"], ["autoload/test.vim", "autoload/test/python/pytest.vim"]],
  [
    "grpc/grpc",
    ["test/cpp/end2end/end2end_test.cc", "test/cpp/end2end/rls_server.cc"],
    ["src/core/lib/surface/call.cc"],
  ],
  ["foundry-rs/forge-template", ["src/test/Greeter.t.sol", "test/Contract.t.sol"], ["src/Greeter.sol"]],
  [
    "PowerShell/PowerShell",
    ["test/powershell/Language/Parser/Ast.Tests.ps1", "test/powershell/Language/LanguageTestSupport.psm1"],
    ["src/System.Management.Automation/engine/Utils.cs"],
  ],
  [
    "robotframework/robotframework",
    ["utest/api/test_languages.py", "atest/robot/core/filter_by_names.robot"],
    ["src/robot/run.py"],
  ],
  [
    "clojure/clojure",
    ["test/clojure/test_clojure/atoms.clj"],
    ["src/clj/clojure/test.clj", "src/clj/clojure/core.clj"],
  ],
  ["open-logic/open-logic", ["test/base/olo_base_cam/olo_base_cam_tb.vhd"], ["src/base/vhdl/olo_base_cam.vhd"]],
  [
    "apache/kafka",
    ["streams/integration-tests/src/test/java/org/apache/kafka/streams/integration/EosIntegrationTest.java"],
    ["streams/src/main/java/org/apache/kafka/streams/KafkaStreams.java"],
  ],
  [
    "neovim/neovim",
    ["test/functional/api/buffer_spec.lua", "test/functional/api/rpc_fixture.lua"],
    ["src/nvim/api/buffer.c"],
  ],
  ["openssl/openssl", ["test/recipes/00-check_testexes.t", "test/evp_test.c"], ["crypto/evp/evp_lib.c"]],
  ["PerlDancer/Dancer2", ["t/app.t", "t/lib/TestApp.pm"], ["lib/Dancer2/Test.pm"]],
  ["clouddrove/terraform-aws-bastion", ["tests/defaults.tftest.hcl"], ["main.tf", "tests/setup/outputs.tf"]],
  ["cucumber/a Java project", ["src/test/resources/a.feature"], ["src/test/resources/schema.sql"]],
  ["brendan/a deep folder", ["lib/a/b/test/x.js", "src/test.js", "spec.ts"], ["lib/a/b/latest/x.js", "src/contest.js"]],
];

describe("tests as public projects lay them out", () => {
  it.each(LAYOUTS)("%s", (_project, tests, others) => {
    expect(tests.filter((path) => groupOf(path) !== "test")).toEqual([]);
    expect(others.filter((path) => groupOf(path) === "test")).toEqual([]);
  });

  it("are of at least 40 projects", () => {
    expect(new Set(LAYOUTS.map(([project]) => project)).size).toBeGreaterThanOrEqual(40);
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
    ["src/Manifest.cs", "source"],
    ["src/protest/index.js", "source"],
    ["src/spec/parser.go", "source"],
    ["src/inspect.ts", "source"],
  ])("%s is no test but %s", (path, group) => {
    expect(groupOf(path)).toBe(group);
  });
});
