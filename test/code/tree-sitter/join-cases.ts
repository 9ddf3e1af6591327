/** An edit of a file: `[start, end, text]` as a Developer gives it, put into the lines of `before`. */
export interface EditCase {
  name: string;
  path: string;
  before: string;
  edits: readonly (readonly [start: number, end: number, text: string])[];
}

const edit = (
  name: string,
  path: string,
  before: readonly string[],
  ...edits: readonly (readonly [number, number, string])[]
): EditCase => ({
  name,
  path,
  before: `${before.join("\n")}\n`,
  edits: edits.map(([start, end, text]) => [start, end, text === "" ? "" : `${text}\n`] as const),
});

const SCRIPTS = ["a.js", "a.ts", "a.tsx"];

/** Edits after which lines beside them, which they leave as they are, mean something else. */
export const JOINS: readonly EditCase[] = [
  ...SCRIPTS.flatMap((path) => [
    edit("a computed member after a field", path, ["class A {", "  a = 1", "}"], [3, 2, "  [b] = 2"]),
    edit("a member after a field, sent with it", path, ["class A {", "  a = 1", "}"], [2, 2, "  a = 1\n  [b] = 2"]),
    edit("a field before a computed member", path, ["class A {", "  [b] = 2", "}"], [2, 1, "  a = 1"]),
    edit("a call in brackets after a statement", path, ["const a = b", "c()"], [2, 1, "(d || e)()"]),
    edit("a statement before brackets", path, ["[1, 2].forEach(f)", "c()"], [1, 0, "const a = b"]),
    edit("a template after a statement", path, ["const a = b", "c()"], [2, 1, "`x`.trim()"]),
    edit("rows of a table", path, ["const t = [", "  [1, 2]", "];"], [3, 2, "  [3, 4]"]),
    edit("a row before a row", path, ["const t = [", "  [1, 2],", "  [5, 6],", "];"], [3, 2, "  [3, 4]"]),
    edit("an if before an else", path, ["if (a)", "  b();", "else", "  c();"], [3, 2, "if (d)\n  e();"]),
    edit("an if around what has an else", path, ["if (a)", "  b();", "else", "  c();"], [2, 1, "  if (d)"]),
    edit("an else of another if", path, ["if (a)", "  if (b)", "    c();", "d();"], [4, 3, "else\n  e();"]),
    edit("a comment without an end", path, ["a();", "b();", "/* c */", "d();"], [2, 1, "/* e"]),
    edit("a template without an end", path, ["a();", "b();", "c(`d`);", "e(`f`);"], [2, 1, "x = `g"]),
    // Meant, and asked about once all the same.
    edit("an array for an object", path, ["const t = {", "  a,", "  b,", "};"], [1, 1, "const t = ["], [4, 4, "];"]),
    edit("a function split", path, ["function f() {", "  a();", "  b();", "}"], [3, 2, "}\n\nfunction g() {"]),
  ]),
  edit("a head of a function", "a.py", ["def f():", "    a()", "    b()", "    c()"], [3, 2, "\n\ndef g():"]),
  edit("a string without an end", "a.py", ["a = 1", 'b = """c"""', "d = 2", 'e = """f"""'], [2, 1, 'x = """y']),
  edit("elements of a list", "a.py", ["a = [", '    "b",', '    "c"', "]"], [4, 3, '    "d"']),
  edit("an element before another", "a.py", ["a = [", '    "b",', '    "c",', "]"], [3, 2, '    "d"']),
  edit("pairs in a list", "a.py", ["a = [", '    ("b", 1)', "]"], [3, 2, '    ("c", 2)']),
  edit("rows of a list", "a.py", ["a = [", "    [1, 2],", "    [5, 6],", "]"], [3, 2, "    [3, 4]"]),
  edit(
    "a function in a function",
    "a.py",
    ["def f(a):", "    b = a", "    c(b)", "    return b"],
    [3, 2, "def g():\n    return 1\n"],
  ),
  edit("an if in a loop", "a.py", ["for a in b:", "        c(a)", "        d(a)", "e()"], [3, 2, "if x:\n        y()"]),
  edit("an if before an else in Python", "a.py", ["if a:", "    b()", "else:", "    c()"], [3, 2, "if d:\n    e()"]),
  edit("a line that goes on", "a.py", ["a = 1", "(b)", "c = 2"], [2, 1, "d = e \\"]),
  edit("an argument in Ruby", "a.rb", ["a = 1", "foo b", "c"], [2, 1, "puts a,"]),
  edit("an argument in a method", "a.rb", ["def f", "  a", "  foo b", "end"], [3, 2, "  puts a,"]),
  edit("an argument in a begin", "a.rb", ["begin", "  foo b", "rescue", "  c", "end"], [2, 1, "  puts a,"]),
  edit("an argument in an else", "a.rb", ["if a", "  b", "else", "  foo b", "end"], [4, 3, "  puts a,"]),
  edit("an argument in a loop", "a.rb", ["while a do", "  foo b", "end"], [2, 1, "  puts a,"]),
  edit("a label within a case", "a.js", ["switch (a) {", "case 1:", "  b();", "  break;", "}"], [4, 3, "case 2:"]),
  edit(
    "an empty case of Go",
    "a.go",
    ["package a", "", "func f(a int) {", "\tswitch a {", "\tcase 1:", "\t\tb()", "\t}", "}"],
    [6, 5, "\tcase 2:"],
  ),
  edit("a return in a case", "A.cs", ["switch (a) {", "case 1:", "  b();", "  break;", "}"], [3, 2, "  return"]),
  edit("a return in an #if", "a.c", ["void f() {", "#if A", "  b();", "#endif", "}"], [3, 2, "  return"]),
  edit("texts in an array of Ruby", "a.rb", ["A = [", '  "b",', '  "c",', "]"], [3, 2, '  "d"']),
  edit("a block comment of Ruby", "a.rb", ["a", "b", "=begin", "c", "=end", "d"], [2, 1, "=begin"]),
  edit("texts in an array of C", "a.c", ["const char *a[] = {", '  "b",', '  "c",', "};"], [3, 2, '  "d"']),
  edit("a macro that goes on", "a.c", ["int a;", "int b;", "int c;"], [2, 1, "#define D 1 \\"]),
  edit("a macro cut in two", "a.c", ["#define A(x) \\", "  b(x); \\", "  c(x)", "int d;"], [2, 2, "  e(x);"]),
  edit("a comment that goes on", "a.c", ["int a;", "int b;", "int c;"], [2, 1, "// d \\"]),
  edit("a product", "a.c", ["void f(int *p) {", "  int y = 1;", "  *p = y;", "}"], [3, 2, "  int x = y"]),
  ...["a.c", "a.cpp", "A.java", "A.cs"].flatMap((path) => {
    const head = /java|cs$/.test(path) ? ["class A { void f(boolean a) {"] : ["void f(bool a) {"];
    const foot = /java|cs$/.test(path) ? ["} }"] : ["}"];
    return [
      edit(
        "an if before an else",
        path,
        [...head, "if (a)", "  b();", "else", "  c();", ...foot],
        [4, 3, "if (d)\n  e();"],
      ),
      edit(
        "an else of another if",
        path,
        [...head, "if (a)", "  if (b)", "    c();", "d();", ...foot],
        [5, 4, "else\n  e();"],
      ),
      edit("a comment without an end", path, [...head, "a();", "b();", "/* c */", "d();", ...foot], [3, 2, "/* e"]),
      edit("a return that takes a statement", path, [...head, "a();", "b();", ...foot], [3, 2, "return"]),
    ];
  }),
  edit(
    "an if before an else in PHP",
    "a.php",
    ["<?php", "if ($a)", "  b();", "else", "  c();"],
    [4, 3, "if ($d)\n  e();"],
  ),
  edit("a comment of PHP", "a.php", ["<?php", "a();", "b();", "/* c */", "d();"], [3, 2, "/* e"]),
  edit("an end of PHP", "a.php", ["<?php", "a();", "b();", "?>", "<p>", "<?php", "c();"], [3, 2, "?>"]),
  edit(
    "a comment of Go",
    "a.go",
    ["package a", "", "func f() {", "\tb()", "\t/* c */", "\td()", "}"],
    [4, 3, "\t/* e"],
  ),
  edit("a raw text of Go", "a.go", ["package a", "", "var a = 1", "var b = `c`", "var d = `e`"], [3, 2, "var x = `y"]),
  edit(
    "a comment of Rust",
    "a.rs",
    ["fn f() {", "    b();", "    /* c */", "    d();", "}"],
    [2, 1, "    /* e */ /* g"],
  ),
  edit("a text of Rust", "a.rs", ["fn f() {", "    b();", '    c("d");', '    e("g");', "}"], [2, 1, '    x("y']),
];

/** Edits that people make: all beside them stays what it was. */
export const HONEST: readonly EditCase[] = [
  ...SCRIPTS.flatMap((path) => [
    edit("a condition's begin", path, ["if (", "  a &&", "  b", ") {", "  c()", "}"], [2, 1, "  d ||"]),
    edit("an else", path, ["if (a) {", "  b()", "}", "c()"], [4, 3, "else {\n  d()\n}"]),
    edit("a guard without braces", path, ["a();", "b();", "c();"], [2, 1, "if (d)"]),
    edit("a comment around", path, ["a();", "b();", "c();"], [2, 1, "/*"], [3, 2, "*/"]),
    edit("a comment taken away", path, ["a();", "/*", "b();", "*/", "c();"], [2, 2, ""], [4, 4, ""]),
    edit("an assignment of what is there", path, ["a()", "f(", "  b", ")", "c()"], [2, 1, "const d ="]),
  ]),
  edit("another function", "a.rs", ["fn f() {", "  a();", "  b();", "}"], [3, 4, "  c();\n}\n\nfn g() {\n  d();\n}"]),
  edit("another function", "a.ts", ["function f() {", "  a();", "}"], [2, 3, "  b();\n}\n\nfunction g() {\n  c();\n}"]),
  edit("another method", "a.rb", ["def f", "  a", "end"], [2, 3, "  b\nend\n\ndef g\n  c\nend"]),
  edit("an end of a function", "a.py", ["def f():", "    a()", "", "b = 1"], [3, 2, "    c()"]),
  edit("an end of an if", "a.py", ["def f():", "    if a:", "        b()", "    c()"], [4, 3, "        d()"]),
  edit("an except", "a.py", ["try:", "    b()", "except A:", "    c()"], [5, 4, "except B:\n    d()"]),
  edit("a text that goes on", "a.py", ["raise A(", '    "b"', ")"], [3, 2, '    " c"']),
  edit("an elsif", "a.rb", ["if a", "  b", "else", "  c", "end"], [3, 2, "elsif d\n  e"]),
  edit("a wrap of Ruby", "a.rb", ["a", "b", "c"], [2, 1, "unless d"], [3, 2, "end"]),
  edit(
    "an if of Go",
    "a.go",
    ["package a", "", "func f() error {", "\ta()", "\treturn nil", "}"],
    [5, 4, "\tif err := b(); err != nil {\n\t\treturn err\n\t}"],
  ),
  edit(
    "a case of Go",
    "a.go",
    ["package a", "", "func f(a int) {", "\tswitch a {", "\tcase 1:", "\t\tb()", "\t}", "}"],
    [7, 6, "\tcase 2:\n\t\tc()"],
  ),
  edit(
    "an annotation",
    "A.java",
    ["class A {", "  public void f() { b(); }", "  int c = 1;", "}"],
    [2, 1, "  @Override"],
    [3, 2, "  @Deprecated"],
  ),
  edit(
    "an else of Java",
    "A.java",
    ["class A { void f(boolean a) {", "  if (a)", "    b();", "  c();", "} }"],
    [4, 3, "  else\n    d();"],
  ),
  edit(
    "an end of Rust",
    "a.rs",
    ["fn a() -> i32 {", "    match b {", "        _ => 1,", "    }", "}"],
    [5, 4, "    .abs()"],
  ),
  edit("a decorator", "a.py", ["def f():", "    a()"], [1, 0, "@g"]),
  ...(
    [
      ["a.js", "function f(a) {", "a"],
      ["a.ts", "function f(a: A) {", "a"],
      ["a.c", "void f(int a) {", "a"],
      ["a.cpp", "void f(int a) {", "a"],
      ["a.php", "<?php function f($a) {", "$a"],
    ] as const
  ).map(([path, head, on]) =>
    edit(
      "a further label of a case",
      path,
      [head, `switch (${on}) {`, "case 1:", "case 2:", "  b();", "  break;", "}", "}"],
      [5, 4, "case 3:"],
    ),
  ),
  edit("a line of a case", "a.c", ["void f() {", "switch (a) {", "case 1:", "  b();", "}", "}"], [5, 4, "  c();"]),
  ...["a.js", "a.ts", "a.py"].map((path) =>
    edit("a call in place of an array", path, ["a = [", "  b,", "  c,", "]"], [1, 1, "a = f("], [4, 4, ")"]),
  ),
  edit("an attribute of PHP", "a.php", ["<?php", "class A {", "  public function c() {}", "}"], [3, 2, "  #[Test]"]),
  edit("a line between tags", "a.php", ["<?php a(); ?>", "<p>", "  <?= $b ?>", "</p>"], [3, 2, "  text <?= $c ?>"]),
];
