import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { findShownEdits, type NamedLines } from "../../../src/workflow/change/edited-tests.ts";
import { sharedParser } from "../../fakes/shared-parser.ts";
import { NEVER_RUNS } from "./never-run-cases.ts";
import { LOOSENED, REMOVED } from "./removed-cases.ts";
import { SKIPPED } from "./skip-cases.ts";
import { CONFIGURED } from "./suppression-cases.ts";
import { CPP, GO, JAVA, JS, one, PY, RUBY, RUST, type TamperingCase } from "./tampering-cases.ts";

const shown = ({ files }: Pick<TamperingCase, "files">, named: NamedLines = new Map()) =>
  findShownEdits(
    files.map(({ path, before, after }) => ({ path, before, after })),
    named,
    sharedParser,
  );

const table = (cases: readonly TamperingCase[]) => cases.map((one) => [one.what, one] as const);

describe("a repair's edit of tests or check configuration", () => {
  const tampering = [...REMOVED, ...SKIPPED, ...LOOSENED, ...CONFIGURED].filter(({ kinds }) => kinds.length > 0);
  it.each(table([...NEVER_RUNS, ...tampering]))("is shown: %s", async (_, one) => {
    expect(await shown(one)).not.toEqual([]);
  });

  it("is shown for any edit of a line of a test", async () => {
    const tests = { "a.test.js": JS, "tests/test_cart.py": PY, "cart_test.go": GO, "spec/cart_spec.rb": RUBY };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.entries(tests)),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 20 }),
        async ([path, before], at, text) => {
          const lines = before.split("\n");
          const index = at % (lines.length - 1);
          const after = lines
            .map((line, row) => (row === index ? `${line}${text.replace(/\s/g, "x")}` : line))
            .join("\n");
          expect(await shown(one("", path, before, after))).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  const added = (what: string, path: string, before: string, test: string, at: string) =>
    one(what, path, before, before.replace(at, `${at}${test}`));
  it.each(
    table([
      one("a new file of tests", "b.test.js", undefined, JS),
      one("code that is no test", "src/cart.js", "export const total = () => 4;\n", "export const total = () => 3;\n"),
      one("a document", "docs/tests.md", "# Tests\n", "# All tests\n"),
      one("code beside Rust's tests", "src/cart.rs", RUST, RUST.replace("{ 3 }", "{ 1 + 2 }")),
      added(
        "a new test in JavaScript",
        "a.test.js",
        JS,
        '\n\n  it("is empty", () => {\n    expect(total([])).toBe(0);\n  });',
        "toBe(3);\n  });",
      ),
      added(
        "a new test in Python",
        "tests/test_cart.py",
        PY,
        "\n\n\ndef test_empty():\n    assert total([]) == 0",
        "== 3",
      ),
      added(
        "a new test in Go",
        "cart_test.go",
        GO,
        "\n\nfunc TestEmpty(t *testing.T) {\n\tassert.Equal(t, 0, Total())\n}",
        "\n}",
      ),
      added(
        "a new test in Java",
        "src/test/java/a/CartTest.java",
        JAVA,
        "\n\n    @Test\n    void empty() {\n        assertEquals(0, Cart.total());\n    }",
        "1, 2));\n    }",
      ),
      added(
        "a new test in Ruby",
        "spec/cart_spec.rb",
        RUBY,
        '\n\n  it "is empty" do\n    expect(total([])).to eq(0)\n  end',
        "eq(3)\n  end",
      ),
      added(
        "a new test in C++",
        "cart_test.cpp",
        CPP,
        "\n\nTEST(Cart, Empty) {\n  EXPECT_EQ(total(), 0);\n}",
        "3);\n}",
      ),
      one(
        "an import for a new test",
        "tests/test_cart.py",
        PY,
        `import json\n${PY}\n\ndef test_json():\n    assert json\n`,
      ),
    ]),
  )("is not shown: %s", async (_, one) => {
    expect(await shown(one)).toEqual([]);
  });

  it("is not shown on the lines that the failing check names, but on all others", async () => {
    const path = "tests/test_cart.py";
    const after = PY.replace("== 3", "== 4");
    const line = PY.split("\n").findIndex((one) => one.includes("== 3")) + 1;
    const changed = { files: [{ path, before: PY, after }] };
    expect(await shown(changed, new Map([[path, new Set([line])]]))).toEqual([]);
    expect(await shown(changed, new Map([[path, new Set([line - 1])]]))).toEqual([
      { path, line, what: `edits existing tests (line ${line}) where the failing check named nothing` },
    ]);
    expect(await shown(changed, new Map([["tests/test_other.py", new Set([line])]]))).toHaveLength(1);
  });

  it("never throws for any text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("a.test.ts", "tests/test_a.py", "src/a.rs", "spec/a.lua", "package.json"),
        fc.option(fc.string(), { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        async (path, before, after) => {
          await shown({
            files: [{ path, before, after }],
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});
