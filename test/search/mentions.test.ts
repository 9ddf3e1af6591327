import { describe, expect, it } from "@jest/globals";
import { extractFrames, readMentions, readMessages } from "../../src/search/read-mentions.ts";
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

  it.each([
    ["https://github.com/a/b/blob/main/lib/File.py#L98-L102", 98, 102],
    ["[here](https://example.org/a/b/blob/4ab1c/lib/File.py?plain=1#L98C3-L102C9)", 98, 102],
    ["see https://github.com/a/b/blob/v1.2/lib/File.py#L7 and more", 7, 7],
  ])("finds the lines of a link: %s", (text, line, end) => {
    const [link] = extractFrames(text);
    expect(link).toMatchObject({ path: expect.stringMatching(/\/lib\/File\.py$/), line, end });
    expect(createPathMatcher(["src/File.py", "lib/File.py"])(link?.path ?? "").files).toEqual([1]);
  });

  it("puts Python's innermost frame first, though Python prints it last", () => {
    const trace = 'File "a.py", line 1, in outer\n    x()\nFile "b.py", line 2, in inner\n    y()';
    expect(extractFrames(trace).map(({ path }) => path)).toEqual(["b.py", "a.py"]);
  });

  it("finds all frames of a trace that was pasted as one line", () => {
    const pasted = "at fold (src/fold.js:3:1) at main (src/main.js:9:5)";
    expect(extractFrames(pasted).map(({ path }) => path)).toEqual(["src/fold.js", "src/main.js"]);
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
        expect(createPathMatcher(["a.md", other])(named)).toEqual({ files: [1], parts: 2 });
      }
    },
  );

  it("finds paths and symbols", () => {
    const { paths, symbols } = readMentions({
      title: "`parseHeader` breaks",
      body: "See lib\\router\\index.js; snake_case_name, kebab-case-name and render() too.",
    });
    expect(paths).toEqual(expect.arrayContaining(["lib/router/index.js"]));
    expect(symbols).toEqual(expect.arrayContaining(["parseHeader", "snake_case_name", "kebab-case-name", "render"]));
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

describe("readMessages", () => {
  it.each([
    ['"cannot fold an empty header"', ["cannot fold an empty header"]],
    ["`cannot fold an empty header`", ["cannot fold an empty header"]],
    ["It prints 'cannot fold an empty header'.", ["cannot fold an empty header"]],
    ["“cannot fold an empty header”", ["cannot fold an empty header"]],
    ["TypeError: cannot fold an empty header", ["cannot fold an empty header"]],
    ["fatal: cannot fold header 'x-a' of size 12 in one pass", ["cannot fold header", "in one pass"]],
    ["the `header` isn't folded and that's wrong", []],
    ["`todo` is hidden in all of the reports by `skip`", []],
    ['"on" has no effect on the reports that "off" has', []],
  ])("finds the message of %s", (body, messages) => {
    expect(readMessages({ title: "", body })).toEqual(messages);
  });
});

describe("createPathMatcher", () => {
  const find = createPathMatcher(["src/json/provider.py", "src/xml/provider.py", "main.rs", "lib/index.js"]);

  it.each([
    ["/usr/lib/site-packages/flask/json/provider.py", [0], 2],
    ["provider.py", [0, 1], 1],
    ["/app/main.rs", [2], 1],
    ["node_modules/express/index.js", [], 0],
    ["absent.py", [], 0],
  ])("finds the files that share the longest end with %s", (path, files, parts) => {
    expect(find(path)).toEqual({ files, parts });
  });

  const timeOf = (paths: readonly string[], mentions: readonly string[]) => {
    const times = [1, 2, 3].map(() => {
      const started = computingTime();
      const matcher = createPathMatcher(paths);
      for (const mention of mentions) matcher(mention);
      return computingTime() - started;
    });
    return Math.min(...times);
  };

  it("finds many paths among files of one name in little more time than one", () => {
    const paths = Array.from({ length: 20_000 }, (_, at) => `packages/a/b/c/d/e/p${at}/src/index.js`);
    const mentions = paths.slice(0, 80).map((path) => path.slice("packages/a/b/c/d/e/".length));
    expect(timeOf(paths, mentions)).toBeLessThan(8 * timeOf(paths, mentions.slice(0, 1)));
  });

  it("takes no longer for many folders than for one of the same length", () => {
    const [one, many] = ["", "/"].map((end) =>
      Array.from({ length: 3_000 }, (_, at) => `${`${at}${end}`.repeat(100)}/a.js`.replace("//", "/")),
    ) as [string[], string[]];
    expect(timeOf(many, ["5/a.js"])).toBeLessThan(8 * timeOf(one, ["5/a.js"]));
  });
});
