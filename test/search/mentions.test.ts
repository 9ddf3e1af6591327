import { describe, expect, it } from "@jest/globals";
import { extractFrames, readMentions } from "../../src/search/read-mentions.ts";
import { createPathMatcher } from "../../src/search/score-mentions.ts";
import { anyCharacter } from "../fakes/any-character.ts";
import { computingTime } from "../fakes/computing-time.ts";
import { fc } from "../seeded.ts";

describe("extractFrames", () => {
  it.each([
    [
      "Python",
      '  File "/usr/lib/python3/site-packages/flask/app.py", line 12, in dispatch\n',
      "flask/app.py",
      12,
      "dispatch",
    ],
    ["Node", "    at Router.handle (/app/lib/router/index.js:45:10)", "lib/router/index.js", 45, "handle"],
    ["Node, ES module", "    at async file:///app/src/run.mjs:7:3", "src/run.mjs", 7, undefined],
    ["Java", "\tat com.acme.io.Reader$Inner.read(Reader.java:88)", "com/acme/io/Reader.java", 88, "read"],
    ["Go", "\t/go/src/github.com/gin-gonic/gin/context.go:173 +0x2b", "gin/context.go", 173, undefined],
    ["Rust", "thread 'main' panicked at crates/core/main.rs:55:9:", "crates/core/main.rs", 55, undefined],
    ["Rust backtrace", "             at ./src/parser.rs:31:5", "src/parser.rs", 31, undefined],
    ["Ruby", "app/models/user.rb:17:in `full_name'", "app/models/user.rb", 17, "full_name"],
    ["C#", "   at Acme.Web.Page.Load(String x) in C:\\src\\Web\\Page.cs:line 42", "src/Web/Page.cs", 42, "Load"],
    ["PHP", "#0 /var/www/src/Kernel.php(131): App\\Kernel->handle()", "src/Kernel.php", 131, "handle"],
    ["PHP fatal", "PHP Fatal error: boom in /var/www/src/A.php on line 9", "src/A.php", 9, undefined],
  ])("%s", (_, text, path, line, symbol) => {
    const [frame] = extractFrames(text);
    expect(frame?.path.endsWith(path)).toBe(true);
    expect(frame).toMatchObject({ line, symbol });
  });

  it("puts Python's innermost frame first, though Python prints it last", () => {
    const trace = 'File "a.py", line 1, in outer\n    x()\nFile "b.py", line 2, in inner\n    y()';
    expect(extractFrames(trace).map(({ path }) => path)).toEqual(["b.py", "a.py"]);
  });

  it("reads hostile text in time", () => {
    const started = computingTime();
    for (const part of ["at ", "/a", "a.", "in ", "#1 ", "(((", "a::b.", "`a"]) {
      extractFrames(part.repeat(50_000));
      readMentions({ title: part.repeat(1_000), body: `${part.repeat(100_000)}\n`.repeat(2) });
    }
    expect(computingTime() - started).toBeLessThan(20_000);
  });
});

describe("readMentions", () => {
  it.each(["docs/cafe\u0301.md", "docs/caf\u00e9.md", "\u6587\u6863/\u8bf4\u660e.txt"])(
    "finds %j, in either normal form",
    (path) => {
      for (const body of [`See \`${path}\`.`, `(${path}): broken`, `In ${path}, line 3`]) {
        const [named = ""] = readMentions({ title: "", body }).paths;
        expect(named).toBe(path);
        const other = path.normalize(path === path.normalize("NFC") ? "NFD" : "NFC");
        const names = new Set([
          named
            .slice(named.lastIndexOf("/") + 1)
            .toLowerCase()
            .normalize("NFC"),
        ]);
        expect(createPathMatcher(["a.md", other], names).path(named)).toEqual({ files: [1], parts: 2 });
      }
    },
  );

  it("finds paths, modules and symbols", () => {
    const { paths, modules, symbols } = readMentions({
      title: "`parseHeader` breaks",
      body: "See lib\\router\\index.js, flask.json.provider and tokio::sync::Mutex; snake_case_name and render() too.",
    });
    expect(paths).toEqual(expect.arrayContaining(["lib/router/index.js"]));
    expect(modules).toEqual(
      expect.arrayContaining([
        ["flask", "json", "provider"],
        ["tokio", "sync", "Mutex"],
      ]),
    );
    expect(symbols).toEqual(expect.arrayContaining(["parseHeader", "snake_case_name", "render"]));
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.string(),
        (title, body) => readMentions({ title, body }).paths.length >= 0,
      ),
    );
  });
});

describe("createPathMatcher", () => {
  const paths = ["src/json/provider.py", "src/xml/provider.py", "src/json/__init__.py", "lib/mod.rs"];
  const matcher = createPathMatcher(paths, new Set(["provider.py", "provider", "json", "lib", "mod.rs"]));

  it("finds the files that share the longest end with a path", () => {
    expect(matcher.path("/usr/lib/site-packages/flask/json/provider.py")).toEqual({ files: [0], parts: 2 });
    expect(matcher.path("provider.py")).toEqual({ files: [0, 1], parts: 1 });
    expect(matcher.path("absent.py").files).toEqual([]);
  });

  it("finds modules by their folder or file", () => {
    expect(matcher.module(["flask", "json", "provider"])).toEqual({ files: [0], parts: 2 });
    expect(matcher.module(["src", "JSON"])).toEqual({ files: [2], parts: 2 });
  });
});
