import { one, type TamperingCase } from "./tampering-cases.ts";

/** A program before and after a line that suppresses a check. */
const suppressed = (language: string, path: string, before: string, after: string) =>
  one(
    `${language}: ${
      after
        .split("\n")
        .find((line) => !before.includes(line))
        ?.trim() ?? ""
    }`,
    path,
    before,
    after,
    "suppression",
  );

export const SUPPRESSED: readonly TamperingCase[] = [
  suppressed("JavaScript", "src/a.js", "f(x);\n", "// eslint-disable-next-line no-undef\nf(x);\n"),
  suppressed("JavaScript", "src/a.js", "f(x);\n", "f(x); // eslint-disable-line\n"),
  suppressed("JavaScript", "src/a.js", "f(x);\n", "/* istanbul ignore next */\nf(x);\n"),
  suppressed("TypeScript", "src/a.ts", "f(x);\n", "// @ts-ignore\nf(x);\n"),
  suppressed("TypeScript", "src/a.ts", "f(x);\n", "// @ts-expect-error it is wrong\nf(x);\n"),
  suppressed("TypeScript", "src/a.ts", "f(x);\n", "// @ts-nocheck\nf(x);\n"),
  suppressed(
    "TSX",
    "src/a.tsx",
    "const a = <b>{x}</b>;\n",
    "// biome-ignore lint/a11y: later\nconst a = <b>{x}</b>;\n",
  ),
  suppressed("Python", "src/a.py", "x = f()\n", "x = f()  # type: ignore[arg-type]\n"),
  suppressed("Python", "src/a.py", "x = f()\n", "x = f()  # why not  # noqa: E501\n"),
  suppressed("Python", "src/a.py", "x = f()\n", "x = f()  # pragma: no cover\n"),
  suppressed("Python", "src/a.py", "x = f()\n", "# pylint: disable=all\nx = f()\n"),
  suppressed("Go", "a.go", "package a\n\nvar x = f()\n", "package a\n\nvar x = f() //nolint:errcheck\n"),
  suppressed(
    "Java",
    "src/A.java",
    "class A {\n    void f() {}\n}\n",
    'class A {\n    @SuppressWarnings("unchecked")\n    void f() {}\n}\n',
  ),
  suppressed("Kotlin", "src/A.kt", "fun f() = x as String\n", '@Suppress("UNCHECKED_CAST")\nfun f() = x as String\n'),
  suppressed("Ruby", "lib/a.rb", "def f\nend\n", "# rubocop:disable Metrics/MethodLength\ndef f\nend\n"),
  suppressed("Rust", "src/a.rs", "fn f() {}\n", "#[allow(dead_code)]\nfn f() {}\n"),
  suppressed(
    "C",
    "src/a.c",
    "int f(void) { return 1; }\n",
    '#pragma GCC diagnostic ignored "-Wall"\nint f(void) { return 1; }\n',
  ),
  suppressed("C++", "src/a.cc", "int f() { return 1; }\n", "int f() { return 1; }  // NOLINT\n"),
  suppressed("C#", "src/A.cs", "class A {}\n", "#pragma warning disable CS0168\nclass A {}\n"),
  suppressed("PHP", "src/a.php", "<?php\n$x = f();\n", "<?php\n// @phpstan-ignore-next-line\n$x = f();\n"),
  suppressed("PHP", "src/b.php", "<?php\n$x = f();\n", "<?php\n/** @psalm-suppress MixedAssignment */\n$x = f();\n"),
  suppressed("Swift", "Sources/a.swift", "let x = y!\n", "// swiftlint:disable:next force_unwrapping\nlet x = y!\n"),
  suppressed("a new file", "src/b.ts", "", "// @ts-nocheck\nexport const a = 1;\n"),
  one("a wider suppression", "src/a.py", "x = f()  # noqa: E501\n", "x = f()  # noqa\n", "suppression"),
];

export const CONFIGURED: readonly TamperingCase[] = [
  one(
    "jest.config",
    "jest.config.js",
    "export default {};\n",
    'export default { testPathIgnorePatterns: ["cart"] };\n',
    "configuration",
  ),
  one("pytest.ini", "pytest.ini", "[pytest]\n", "[pytest]\naddopts = --deselect tests/a.py\n", "configuration"),
  one(
    "pyproject's pytest",
    "pyproject.toml",
    "[tool.pytest.ini_options]\nminversion = 6\n",
    '[tool.pytest.ini_options]\nminversion = 6\naddopts = "-k not cart"\n',
    "configuration",
  ),
  one(
    "pyproject's mypy",
    "pyproject.toml",
    "[tool.mypy]\nstrict = true\n",
    "[tool.mypy]\nstrict = false\n",
    "configuration",
  ),
  one(
    "pyproject's dependencies",
    "pyproject.toml",
    "[project]\ndependencies = []\n\n[tool.mypy]\nstrict = true\n",
    '[project]\ndependencies = ["attrs"]\n\n[tool.mypy]\nstrict = true\n',
  ),
  one(
    "a looser tsconfig",
    "tsconfig.json",
    '{\n  // all of it\n  "compilerOptions": { "strict": true, },\n}\n',
    '{\n  "compilerOptions": { "strict": false }\n}\n',
    "configuration",
  ),
  one(
    "a file excluded in tsconfig",
    "tsconfig.json",
    '{ "exclude": ["dist"] }',
    '{ "exclude": ["dist", "src/cart.ts"] }',
    "configuration",
  ),
  one(
    "a stricter tsconfig",
    "tsconfig.json",
    '{ "compilerOptions": { "strict": false } }',
    '{ "compilerOptions": { "strict": true, "noImplicitAny": true, "target": "es2022" } }',
  ),
  one(
    "package.json's jest",
    "package.json",
    '{ "jest": { "coverageThreshold": { "global": { "lines": 90 } } } }',
    '{ "jest": { "coverageThreshold": { "global": { "lines": 10 } } } }',
    "configuration",
  ),
  one(
    "package.json's script",
    "package.json",
    '{ "scripts": { "test": "jest" } }',
    '{ "scripts": { "test": "jest --passWithNoTests" } }',
    "configuration",
  ),
  one(
    "package.json's dependencies",
    "package.json",
    '{ "scripts": { "test": "jest" } }',
    '{ "scripts": { "test": "jest", "build": "tsc" }, "dependencies": { "ms": "2" } }',
  ),
  one(".eslintrc", ".eslintrc.json", "{}", '{ "rules": { "no-undef": "off" } }', "configuration"),
  one("a new ignore list", ".eslintignore", undefined, "src\n", "configuration"),
  one("codecov", "codecov.yml", "coverage:\n", "coverage:\n  status: off\n", "configuration"),
  one(".golangci", ".golangci.yml", "linters:\n", "linters:\n  disable-all: true\n", "configuration"),
  one(".rubocop", ".rubocop.yml", "AllCops:\n", "AllCops:\n  DisabledByDefault: true\n", "configuration"),
  one("phpunit", "phpunit.xml.dist", "<phpunit/>\n", "<phpunit><a/></phpunit>\n", "configuration"),
  one("phpstan's baseline", "phpstan-baseline.neon", "a:\n", "a:\nb:\n", "configuration"),
  one(
    "tests skipped in pom",
    "pom.xml",
    "<project>\n</project>\n",
    "<project>\n<skipTests>true</skipTests>\n</project>\n",
    "configuration",
  ),
  one("a new dependency in pom", "pom.xml", "<project>\n</project>\n", "<project>\n<dependency/>\n</project>\n"),
  one(
    "fewer warnings in csproj",
    "A.csproj",
    "<Project>\n</Project>\n",
    "<Project>\n<NoWarn>CS0168</NoWarn>\n</Project>\n",
    "configuration",
  ),
  one(
    "Gradle ignoring failures",
    "build.gradle",
    "test {\n}\n",
    "test {\n  ignoreFailures = true\n}\n",
    "configuration",
  ),
  one("make ignoring failures", "Makefile", "test:\n\tpytest\n", "test:\n\tpytest || true\n", "configuration"),
  one(
    "Cargo's lints",
    "Cargo.toml",
    '[lints.clippy]\nall = "deny"\n',
    '[lints.clippy]\nall = "allow"\n',
    "configuration",
  ),
  one(
    "a rewritten snapshot",
    "tests/goldens/all.txt",
    "one\ntwo\nthree\nfour\nfive\nsix\n",
    "eins\nzwei\ndrei\nvier\nfive\nsix\n",
    "snapshot",
  ),
  one(
    "a line of a recorded result",
    "tests/goldens/all.txt",
    "one\ntwo\nthree\nfour\nfive\nsix\n",
    "one\ntwo\ndrei\nfour\nfive\nsix\n",
  ),
];
