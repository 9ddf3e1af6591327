import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const readme = read("README.md");
const start = read("docs/getting-started.md");
const quality = read("bench/QUALITY.md");

/** A text on one line. */
const flat = (text: string) => text.replace(/\s+/g, " ");

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");

/** Sections of the laboratory book whose tables have a row for each fix. */
const LATER_SERIES = [
  "Twelve new issues: before, after, and a shell agent",
  "Ten more: a smaller first view",
  "Ten harder ones",
  "The fast tier reads",
];

/** For each fix of a series, the verdicts of MAGIS, on issues not used in its development, and of the shell agent. */
function verdictsOf(book: string, series: string): readonly (readonly (string | undefined)[])[] {
  const [, section = ""] = book.split(`\n## ${series}\n`);
  const [text = ""] = section.split("\n## ");
  const rows = [...text.matchAll(/^\|[^|]*\| (?:one file|\d files) \|.*\| ([^|]*) \|$/gm)];
  return rows.map(([, cell = ""]) => {
    const verdicts = cell.replace(/[*¹ ]/g, "").split(",");
    return [verdicts[1], verdicts.at(-1)];
  });
}

describe("the README and the pages it links", () => {
  it("registers the app with the manifest's events and permissions", () => {
    const link = new URL(/https:\/\/github\.com\/settings\/apps\/new\S+/.exec(start)?.[0] ?? "");
    const manifest = parse(read("app.yml")) as {
      default_events: string[];
      default_permissions: Record<string, string>;
    };
    expect(link.searchParams.getAll("events[]").sort()).toEqual([...manifest.default_events].sort());
    const asked = Object.keys(manifest.default_permissions).map((name) => [name, link.searchParams.get(name)]);
    expect(Object.fromEntries(asked)).toEqual(manifest.default_permissions);
  });

  it("links pages that exist, in one screen and a half", () => {
    const pages = [
      readme,
      ...[
        "getting-started",
        "action",
        "using",
        "command-line",
        "configuration",
        "operating",
        "security",
        "evaluation",
        "how-it-works",
        "decisions",
      ].map((name) => read(`docs/${name}.md`)),
    ];
    pages.forEach((page, index) => {
      for (const [, target = ""] of page.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        expect([target, existsSync(new URL(`../${index === 0 ? "" : "docs/"}${target}`, import.meta.url))]).toEqual([
          target,
          true,
        ]);
      }
    });
    expect(readme.split("\n").length).toBeLessThan(75);
  });

  it("gives the laboratory book's sums of solved issues", () => {
    const book = read("bench/archive/QUALITY-book.md");
    const [, table = ""] = /^\| instance \| first run[^\n]*\n[^\n]*\n((?:\|.*\n)+)/m.exec(book) ?? [];
    const rows = [...table.matchAll(/^\|(?:[^|]*\|){3} \**(yes|no)\** \| [^|]*, (yes|no) \|/gm)];
    const series = [rows.map(([, own, shell]) => [own, shell]), ...LATER_SERIES.map((name) => verdictsOf(book, name))];
    const sums = [...series, series.flat()].map((fixes) => [
      fixes.length,
      fixes.filter(([own]) => own === "yes").length,
      fixes.filter(([, shell]) => shell === "yes").length,
    ]);
    const shown = [...quality.matchAll(/^\| [^|]+ \| \**(\d+)\** \| \**(\d+)\** \| \**(\d+)\** \|$/gm)];
    expect(shown.map(([, ...numbers]) => numbers.map(Number))).toEqual(sums);
    const [fixes, own, shell] = sums.at(-1) ?? [];
    expect(flat(readme)).toContain(`${own} of ${fixes} real fixes`);
    expect(flat(readme)).toContain(`a shell agent solved ${shell},`);
  });

  it("gives the tokens, money and successive calls of the last eight fixes", () => {
    const [, last = ""] = quality.split("\n## The last eight\n");
    const newest = [
      ...last.matchAll(/^\|[^|]*\| (?:one file|\d files) \| (\d+), ([\d,]+) \([\d,]+\), ([\d.]+) \|/gm),
    ].map(([, calls = "", sent = "", dollars = ""]) => ({ calls, sent, dollars }));
    expect(newest).toHaveLength(8);
    const [, kept = ""] = read("bench/archive/QUALITY-book.md").split(/^### The last eight$/m);
    for (const { calls, sent, dollars } of newest) {
      expect(kept).toMatch(new RegExp(`\\| ${calls}, ${sent} \\([\\d,]+\\), ${dollars} \\|`));
    }
    const range = (values: readonly number[], shown: (value: number) => string) =>
      `${shown(Math.min(...values))} to ${shown(Math.max(...values))}`;
    const tokens = newest.map(({ sent }) => Number(sent.replaceAll(",", "")));
    const money = newest.map(({ dollars }) => Number(dollars));
    const calls = newest.map((one) => Number(one.calls));
    expect(flat(readme)).toContain(`${range(tokens, (value) => value.toLocaleString("en-US"))} tokens`);
    expect(flat(readme)).toContain(range(money, (value) => `$${(Math.round(value * 100) / 100).toFixed(2)}`));
    expect(flat(readme)).toContain(`${range(calls, String)} model calls one after another`);
  });

  it("links sections that exist", () => {
    const linked = [...readme.matchAll(/\]\(([\w/-]+\.md)#([\w-]+)\)/g)];
    expect(linked.length).toBeGreaterThan(0);
    for (const [, page = "", anchor] of linked) {
      const anchors = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
      expect([page, anchors]).toEqual([page, expect.arrayContaining([anchor])]);
    }
  });

  it("names commands that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
  });
});
