import { describe, expect, it } from "@jest/globals";
import { findTest, newTestsOf } from "../../../src/checks/test-logs/new-tests.ts";
import { createSourceParser } from "../../../src/code/tree-sitter/source-parser.ts";
import type { NewTest } from "../../../src/data/verdict.ts";

const parser = createSourceParser();

async function namesIn(path: string, after: string, before?: string): Promise<readonly string[]> {
  const parsed = async (text: string) => ({ text, symbols: await parser.symbols(path, text) });
  const found = newTestsOf(path, before === undefined ? undefined : await parsed(before), await parsed(after));
  return found.map(({ within, name }) => [...within, name].join(" | "));
}

const JS = `
describe("parse", () => {
  beforeEach(() => {});
  it("reads a pair", () => {
    expect(parse("a=1")).toEqual({ a: "1" });
  });

  describe.each([["x"]])("of %s", (name) => {
    test.each([
      ["a="],
    ])("keeps %s", (text) => {
      expect(parse(text).a).toBe("");
    });
  });
  test(
    "a title of its own line",
    async () => {},
  );
});
`;

describe("the tests of a file", () => {
  it.each<[string, string, readonly string[]]>([
    ["a.test.ts", JS, ["parse | reads a pair", "parse | of %s | keeps %s", "parse | a title of its own line"]],
    [
      "test_a.py",
      "def test_a():\n  pass\n\ndef helper():\n  pass\n\nclass TestB:\n  def test_c(self):\n    pass\n",
      ["test_a", "TestB | test_c"],
    ],
    ["a_test.go", "package a\nfunc TestA(t *testing.T) {}\nfunc help() {}\n", ["TestA"]],
    [
      "src/a.rs",
      "fn a() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn b() {}\n\n\n\n\n\n  fn c() {}\n}\n",
      ["tests | b"],
    ],
    [
      "ATest.java",
      'class ATest {\n  @Test\n  @DisplayName("does b")\n  void b() {}\n\n\n\n\n\n\n  void c() {}\n}\n',
      ["ATest | b", "does b"],
    ],
    ["A.cs", "class ATests {\n  [Fact]\n  public void B() {}\n}\n", ["ATests | B"]],
    ["ATest.php", "<?php\nclass ATest {\n  public function testB() {}\n}\n", ["ATest | testB"]],
    [
      "a_spec.rb",
      'RSpec.describe Parser do\n  describe "#a" do\n    it "does b" do\n    end\n  end\nend\n',
      ["Parser | #a | does b"],
    ],
    ["ATest.kt", "class ATest {\n  @Test\n  fun `does b`() {\n  }\n}\n", ["does b"]],
    ["a_test.cc", "TEST(Suite, Name) {\n}\n", ["Suite | Name"]],
    ["a_test.cpp", 'TEST_CASE("does b", "[a]") {\n}\nTEST_CASE_METHOD(Fixture, "does c") {\n}\n', ["does b", "does c"]],
    ["a_test.cpp", "BOOST_AUTO_TEST_CASE(does_b)\n{\n}\n", ["does_b"]],
    ["test_a.c", "static int help(void) {\n return 1;\n}\n\nvoid test_b(void) {\n}\n", ["test_b"]],
    [
      "test_a.c",
      '#include "tap.h"\nint main(void)\n{\n\tok(f(1) == 2, "doubles a number");\n\tok(strcmp(f(0), "a") == 0, "leaves nothing");\n}\n',
      ["doubles a number", "leaves nothing"],
    ],
    [
      "tests/a.test.sh",
      'is "counts what is open" "2 open" "$(bin/a stats)"\nprintf \'[ ] a\\n\' >a.txt\n',
      ["counts what is open"],
    ],
    ["test/a.bats", '@test "does b" {\n  run a\n}\n', ["does b"]],
    [
      "test/a_test.dart",
      "void main() {\n  group('parse', () {\n    testWidgets('does b', (tester) async {\n    });\n  });\n}\n",
      ["parse | does b"],
    ],
    [
      "test/a_test.exs",
      'defmodule ATest do\n  describe "parse" do\n    test "does b" do\n    end\n  end\nend\n',
      ["parse | does b"],
    ],
    [
      "Tests/ATests.swift",
      'class ATests: XCTestCase {\n  func testB() throws {\n  }\n  func help() {\n  }\n}\n@Test("does c") func addsC() {\n}\n@Test func addsD() {\n}\n',
      ["testB", "does c", "addsD"],
    ],
    [
      "src/test/scala/ASpec.scala",
      'class ASpec {\n  "A parser" should "do b" in {\n  }\n  it should "do c" in {\n  }\n  test("does d") {\n  }\n}\n',
      ["do b", "do c", "does d"],
    ],
    [
      "ATest.kt",
      'class ATest : StringSpec({\n  "does b" {\n  }\n  "does c".config(enabled = true) {\n  }\n})\n',
      ["does b", "does c"],
    ],
    ["test/a_test.clj", "(deftest does-b\n  (is (= 1 1)))\n", ["does-b"]],
    ["tests/testthat/test-a.R", 'test_that("it does b", {\n})\n', ["it does b"]],
    ["t/a.t", "subtest 'does b' => sub {\n};\n", ["does b"]],
    ["a.test.js", "expect(it);\nconst test = 1;\nregExp.test(value);\n", []],
  ])("%s", async (path, text, names) => {
    expect(await namesIn(path, text)).toEqual(names);
  });

  it("are new when they were added or changed", async () => {
    const more = JS.replace('"1" });', '"2" });').replace("});\n", '});\n  it("is new", () => {\n  });\n');
    expect(await namesIn("a.test.ts", more, JS)).toEqual(["parse | is new", "parse | reads a pair"]);
    expect(await namesIn("a.test.ts", JS, JS)).toEqual([]);
    const last = 'test("adds a", () => {});\n';
    expect(await namesIn("a.test.ts", `${last}\ntest("adds b", () => {});\n`, last)).toEqual(["adds b"]);
  });
});

describe("the test that a runner's name refers to", () => {
  const test = (name: string, within: readonly string[] = [], path = "a.test.js"): NewTest => ({ path, within, name });

  it.each<[string, NewTest]>([
    ["parse › keeps a", test("keeps a", ["parse"])],
    ["outer > parse > keeps a", test("keeps a", ["outer", "parse"])],
    ["Parser#parse keeps a", test("keeps a", ["Parser", "#parse"])],
    ["parse of x keeps a=", test("keeps %s", ["parse", "of %s"])],
    ["parse › keeps 3 of 4", test("keeps $a of %i", ["parse"])],
    ["TestA.test_b[1-2]", test("test_b", ["TestA"])],
    ["TestA/sub_test/of_it", test("TestA")],
    ["TestSuite/TestA", test("TestA", ["Suite"], "a_test.go")],
    ["com.acme.ATest$Inner.b(int)[2]", test("b", ["Inner"], "ATest.java")],
    ["Acme\\ATest::testB with data set #0 (1)", test("testB", ["ATest"], "ATest.php")],
    ["ParserTest#test_does_a_thing", test("does a thing", [], "test/parser_test.rb")],
    ["Adds two numbers", test("testAddsTwoNumbers", ["ATest"], "ATest.php")],
    ["tests.test_parse.TestParse.test_b", test("test_b", ["TestParse"], "tests/test_parse.py")],
    ["app.parse::tests::keeps", test("keeps", ["tests"], "src/parse.rs")],
    ["app::parse::keeps", test("keeps", [], "src/parse.rs")],
    ["com.acme.ParseTest > keeps a", test("keeps a", [], "src/test/kotlin/ParseTest.kt")],
  ])("%s", (name, wanted) => {
    expect(findTest([wanted], { name })).toBe(wanted);
  });

  it.each<[string, NewTest]>([
    ["parse › never keeps a", test("keeps a", ["parse"])],
    ["format › keeps a", test("keeps a", ["parse"])],
    ["TestAB", test("TestA")],
    ["OtherTest.b", test("b", ["ATest"])],
    ["format › keeps a", test("keeps a")],
    ["other › parse › keeps a", test("keeps a", ["outer", "parse"])],
    ["com.acme.OtherTest > keeps a", test("keeps a", [], "src/test/kotlin/ParseTest.kt")],
    ["com.acme.OtherTest.b", test("b", ["ATest"], "ATest.java")],
    ["tests.test_format.test_b", test("test_b", [], "tests/test_parse.py")],
    ["app::format::keeps", test("keeps", [], "src/parse.rs")],
    ["FormatTest#test_does_a_thing", test("does a thing", [], "test/parser_test.rb")],
    ["format.keepsAnEmptyValue", test("keeps an empty value", ["parse"])],
  ])("not %s", (name, wanted) => {
    expect(findTest([wanted], { name })).toBeUndefined();
  });

  it("is in the file that the runner reports", () => {
    expect(findTest([test("b")], { name: "b", path: "packages/x/a.test.js" })).toBeDefined();
    expect(findTest([test("b")], { name: "b", path: "other.test.js" })).toBeUndefined();
  });
});
