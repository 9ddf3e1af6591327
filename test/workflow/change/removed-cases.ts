import {
  adds,
  between,
  C,
  CPP,
  CSHARP,
  cpp,
  csharp,
  DART,
  dart,
  ELIXIR,
  elixir,
  GO,
  go,
  JAVA,
  JS,
  java,
  jest,
  KOTLIN,
  kotlin,
  one,
  PHP,
  PY,
  php,
  python,
  RUBY,
  RUST,
  ruby,
  rust,
  SWIFT,
  swift,
  type TamperingCase,
} from "./tampering-cases.ts";

const ALL: readonly (readonly [string, string, string])[] = [
  ["JavaScript", "test/cart.test.js", JS],
  ["TypeScript", "src/cart.spec.ts", JS],
  ["Python", "tests/test_cart.py", PY],
  ["Go", "cart_test.go", GO],
  ["Java", "src/test/java/a/CartTest.java", JAVA],
  ["Ruby", "spec/cart_spec.rb", RUBY],
  ["Rust", "src/cart.rs", RUST],
  ["C++", "tests/cart_test.cc", CPP],
  ["C", "tests/test_cart.c", C],
  ["C#", "test/CartTests.cs", CSHARP],
  ["PHP", "tests/CartTest.php", PHP],
  ["Kotlin", "src/test/kotlin/a/CartTest.kt", KOTLIN],
  ["Swift", "Tests/CartTests.swift", SWIFT],
  ["Elixir", "test/cart_test.exs", ELIXIR],
  ["Dart", "test/cart_test.dart", DART],
];

const REMOVALS: Readonly<Record<string, (text: string) => string>> = {
  JavaScript: () => jest(""),
  TypeScript: () => jest(""),
  Python: () => python(""),
  Go: () => go(""),
  Java: () => java(""),
  Ruby: () => ruby(""),
  Rust: () => rust(""),
  "C++": () => cpp(""),
  C: () => '#include "unity.h"\n',
  "C#": () => csharp(""),
  PHP: () => php(""),
  Kotlin: () => kotlin(""),
  Swift: () => swift(""),
  Elixir: () => elixir(""),
  Dart: () => dart(""),
};

/** A removed test, a removed file of tests and a removed assertion, in every language. */
export const REMOVED: readonly TamperingCase[] = ALL.flatMap(([language, path, text]) => [
  one(`${language}: a removed test`, path, text, REMOVALS[language]?.(text), "test"),
  ...(language === "Rust" ? [] : [one(`${language}: a removed file of tests`, path, text, undefined, "test")]),
  one(
    `${language}: removed assertions`,
    path,
    text,
    text
      .split("\n")
      .filter(
        (line) =>
          !/assert_eq!|assert[(A-Z ]|ASSERT|Assert|expect\(|EXPECT_|t\.Errorf/.test(line) ||
          /^import|#include|func Test/.test(line),
      )
      .join("\n"),
    "assertion",
  ),
  one(`${language}: an added test`, path, text, `${text}\n`, ...[]),
]);

export const LOOSENED: readonly TamperingCase[] = [
  one(
    ...between(
      "toBe becomes toBeTruthy",
      "a.test.js",
      (body) => jest(adds(body)),
      "expect(total([1])).toBe(1);",
      "expect(total([1])).toBeTruthy();",
    ),
    "assertion",
  ),
  one(
    ...between(
      "toEqual becomes toMatchObject",
      "a.test.ts",
      (body) => jest(adds(body)),
      "expect(cart).toEqual({ a: 1 });",
      "expect(cart).toMatchObject({ a: 1 });",
    ),
    "assertion",
  ),
  one(
    ...between(
      "a claim that always holds",
      "a.test.ts",
      (body) => jest(adds(body)),
      "expect(cart).toBe(1);",
      "expect(true).toBe(true);",
    ),
    "assertion",
  ),
  one(
    ...between(
      "an error of any kind will do",
      "tests/test_cart.py",
      (body) => python(`def test_adds():\n${body}`),
      "    with pytest.raises(ValueError):\n        total(None)",
      "    with pytest.raises(Exception):\n        total(None)",
    ),
    "assertion",
  ),
  one("Python: == becomes in", "tests/test_cart.py", PY, PY.replace("== 3", "in (3, 4)"), "assertion"),
  one(
    "assertEqual becomes assertTrue",
    "src/test/java/a/CartTest.java",
    JAVA,
    JAVA.replace("assertEquals(3, Cart.total(1, 2))", "assertNotNull(Cart.total(1, 2))"),
    "assertion",
  ),
  one(
    "one of two assertions removed",
    "a.test.js",
    jest(adds("expect(a).toBe(1);\n    expect(b).toBe(2);")),
    jest(adds("expect(a).toBe(1);")),
    "assertion",
  ),
  one(
    "a shared helper without its assertion",
    "test/helpers.js",
    "export function check(cart) {\n  expect(cart.total).toBe(3);\n}\n",
    "export function check(cart) {\n  return cart;\n}\n",
    "assertion",
  ),
  one(
    "a removed row of a table",
    "cart_test.go",
    go(
      "func TestAll(t *testing.T) {\n\tfor _, c := range []struct{ a, b int }{\n\t\t{1, 2},\n\t\t{-1, 0},\n\t} {\n\t\tassert.Equal(t, c.b, f(c.a))\n\t}\n}",
    ),
    go(
      "func TestAll(t *testing.T) {\n\tfor _, c := range []struct{ a, b int }{\n\t\t{1, 2},\n\t} {\n\t\tassert.Equal(t, c.b, f(c.a))\n\t}\n}",
    ),
    "test",
  ),
  one(
    "a removed case of an attribute",
    "test/CartTests.cs",
    csharp(
      "    [Theory]\n    [InlineData(1)]\n    [InlineData(-1)]\n    public void Adds(int n)\n    {\n        Assert.Equal(n, F(n));\n    }",
    ),
    csharp(
      "    [Theory]\n    [InlineData(1)]\n    public void Adds(int n)\n    {\n        Assert.Equal(n, F(n));\n    }",
    ),
    "test",
  ),
  one(
    "toBeCloseTo with fewer digits",
    "a.test.js",
    jest(adds("expect(f(1)).toBeCloseTo(0.3, 5);")),
    jest(adds("expect(f(1)).toBeCloseTo(0.3, 1);")),
    "limit",
  ),
  one(
    "a larger tolerance of pytest.approx",
    "tests/test_a.py",
    python("def test_a():\n    assert f() == pytest.approx(0.3, rel=1e-6)"),
    python("def test_a():\n    assert f() == pytest.approx(0.3, rel=0.1)"),
    "limit",
  ),
  one(
    "a larger delta in JUnit",
    "src/test/java/a/ATest.java",
    java("    @Test\n    void a() {\n        assertEquals(0.3, f(), 0.0001);\n    }"),
    java("    @Test\n    void a() {\n        assertEquals(0.3, f(), 0.5);\n    }"),
    "limit",
  ),
  one(
    "a larger tolerance of EXPECT_NEAR",
    "tests/a_test.cc",
    cpp("TEST(A, B) {\n  EXPECT_NEAR(f(), 0.3, 1e-6);\n}"),
    cpp("TEST(A, B) {\n  EXPECT_NEAR(f(), 0.3, 1e-1);\n}"),
    "limit",
  ),
  one(
    "a larger tolerance of InDelta",
    "a_test.go",
    go("func TestA(t *testing.T) {\n\tassert.InDelta(t, 0.3, f(), 0.001)\n}"),
    go("func TestA(t *testing.T) {\n\tassert.InDelta(t, 0.3, f(), 0.5)\n}"),
    "limit",
  ),
  one(
    "a longer time limit of a test",
    "a.test.js",
    jest('  it("a", async () => {\n    expect(await f()).toBe(1);\n  }, 1000);'),
    jest('  it("a", async () => {\n    expect(await f()).toBe(1);\n  }, 60_000);'),
    "limit",
  ),
  one("a new jest.setTimeout", "a.test.js", JS, `jest.setTimeout(60000);\n${JS}`, "limit"),
  one(
    "a longer time limit in pytest",
    "tests/test_a.py",
    python("@pytest.mark.timeout(5)\ndef test_a():\n    assert f() == 1"),
    python("@pytest.mark.timeout(500)\ndef test_a():\n    assert f() == 1"),
    "limit",
  ),
  one(
    "a longer wait in Go",
    "a_test.go",
    go(
      "func TestA(t *testing.T) {\n\tctx, _ := context.WithTimeout(b, 5*time.Second)\n\trequire.NoError(t, f(ctx))\n}",
    ),
    go(
      "func TestA(t *testing.T) {\n\tctx, _ := context.WithTimeout(b, 500*time.Second)\n\trequire.NoError(t, f(ctx))\n}",
    ),
    ...[],
  ),
  one("retries until it passes", "a.test.js", JS, `jest.retryTimes(3);\n${JS}`, "skip", "limit"),
];
