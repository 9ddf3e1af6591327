const STAMP = "2026-11-20T10:00:00.1234567Z ";
const ROOT = "/home/runner/work/shop/shop";

/** A log with GitHub's time stamp on every line. */
export const stamped = (lines: readonly string[]) => lines.map((line) => `${STAMP}${line}\r\n`).join("");

interface Sample {
  lines: readonly string[];
  /** words that the cut log must keep */
  tells: readonly string[];
  /** the places in the repository that it names, as `path:line`, in order */
  places: readonly string[];
}

/** The files of the samples' repository. */
export const PATHS: readonly string[] = [
  "src/money.js",
  "test/money.test.js",
  "src/app.ts",
  "web/src/list.tsx",
  "shop/cart.py",
  "tests/test_cart.py",
  "cart/cart.go",
  "cart/cart_test.go",
  "crates/till/src/lib.rs",
  "index.js",
  "README.md",
  "core/src/main/java/com/acme/Till.java",
  "core/src/test/java/com/acme/TillTest.java",
];

/** Failures in each runner's own words. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  jest: {
    lines: [
      "FAIL test/money.test.js",
      "  ● formatCents › rounds half up",
      "",
      "    expect(received).toBe(expected) // Object.is equality",
      "",
      '    Expected: "1.01"',
      '    Received: "1.00"',
      "",
      `      at Object.toBe (test/money.test.js:9:31)`,
      `      at run (${ROOT}/node_modules/jest-circus/build/run.js:10:3)`,
    ],
    tells: ["● formatCents › rounds half up", 'Received: "1.00"'],
    places: ["test/money.test.js:9"],
  },
  "node:test": {
    lines: [
      "✖ rounds half up (1.2ms)",
      "  AssertionError [ERR_ASSERTION]: '1.00' == '1.01'",
      `      at TestContext.<anonymous> (file://${ROOT}/test/money.test.js:5:10)`,
      `      at formatCents (file://${ROOT}/src/money.js:3:7)`,
    ],
    tells: ["'1.00' == '1.01'"],
    places: ["test/money.test.js:5", "src/money.js:3"],
  },
  pytest: {
    lines: [
      "=================================== FAILURES ===================================",
      "___________________________ test_total_of_empty_cart ___________________________",
      "    def test_total_of_empty_cart():",
      ">       assert total([]) == 0",
      "E       AssertionError: assert None == 0",
      "tests/test_cart.py:12: AssertionError",
      '  File "/home/runner/work/shop/shop/shop/cart.py", line 7, in total',
      "=========================== short test summary info ============================",
      "FAILED tests/test_cart.py::test_total_of_empty_cart - AssertionError: assert None == 0",
    ],
    tells: ["assert None == 0", "FAILED tests/test_cart.py::test_total_of_empty_cart"],
    places: ["tests/test_cart.py:12", "shop/cart.py:7"],
  },
  "go test": {
    lines: [
      "--- FAIL: TestTotal (0.00s)",
      "    cart_test.go:14: Total() = 3, want 4",
      "FAIL",
      "FAIL\tgithub.com/acme/shop/cart\t0.003s",
    ],
    tells: ["Total() = 3, want 4"],
    places: ["cart/cart_test.go:14"],
  },
  cargo: {
    lines: [
      "error[E0308]: mismatched types",
      "  --> crates/till/src/lib.rs:4:5",
      "   |",
      '4  |     "1"',
      "   |     ^^^ expected `u32`, found `&str`",
    ],
    tells: ["expected `u32`, found `&str`"],
    places: ["crates/till/src/lib.rs:4"],
  },
  maven: {
    lines: [
      "[ERROR] COMPILATION ERROR : ",
      `[ERROR] ${ROOT}/core/src/main/java/com/acme/Till.java:[12,9] cannot find symbol`,
      "[ERROR]   symbol:   method add(int)",
      "\tat com.acme.TillTest.adds(TillTest.java:20)",
      "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.",
    ],
    tells: ["cannot find symbol"],
    places: ["core/src/main/java/com/acme/Till.java:12", "core/src/test/java/com/acme/TillTest.java:20"],
  },
  eslint: {
    lines: [
      `${ROOT}/src/money.js`,
      "   3:7   error    'a' is assigned a value but never used  no-unused-vars",
      "  10:1   warning  Unexpected console statement             no-console",
      "✖ 2 problems (1 error, 1 warning)",
    ],
    tells: ["'a' is assigned a value but never used"],
    places: ["src/money.js:3", "src/money.js:10"],
  },
  tsc: {
    lines: [
      "src/app.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
      "src/list.tsx:7:12 - error TS2304: Cannot find name 'Item'.",
    ],
    tells: ["error TS2322", "error TS2304"],
    places: ["src/app.ts:3", "web/src/list.tsx:7"],
  },
  "a windows machine": {
    lines: [
      "D:\\a\\shop\\shop\\src\\app.ts:8:1: error: unexpected token",
      "    at Object.<anonymous> (D:\\a\\shop\\shop\\src\\money.js:2:3)",
    ],
    tells: ["unexpected token"],
    places: ["src/app.ts:8", "src/money.js:2"],
  },
};
