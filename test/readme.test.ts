import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const readme = read("README.md");
const start = read("docs/getting-started.md");

describe("the README and what it leads to", () => {
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

  it("leads to pages that are there, in one screen and a half", () => {
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

  it("says what was measured: solved, tokens, money and calls in a row are those of the tables", () => {
    const text = read("bench/QUALITY.md");
    const [, table = ""] = /^\| instance \| first run[^\n]*\n[^\n]*\n((?:\|.*\n)+)/m.exec(text) ?? [];
    const rows = [...table.matchAll(/^\|(?:[^|]*\|){3} \**(yes|no)\** \| [^|]*, (yes|no) \|/gm)];
    const first = rows.map(([, own, shell]) => [own, shell]);
    // Of the later tables those of fixes: of their verdicts those on issues that nothing was made from, and the shell agent's.
    const fixes = [...text.matchAll(/^\|[^|]*\| (?:one file|\d files) \|.*\|([^|]*)\| ([^|]*) \|$/gm)];
    const words = fixes.map(([, , verdicts = ""]) => verdicts.replace(/[*¹ ]/g, "").split(","));
    expect([first.length, words.length]).toEqual([12, 50]);
    const all = [...first, ...words.map((one) => [one[1], one.at(-1)])];
    const solved = (at: number) => all.filter((one) => one[at] === "yes").length;
    expect(readme).toContain(`${solved(0)} of ${all.length} real fixes`);
    expect(readme).toContain(`a shell agent solved ${solved(1)},`);
    const [, last = ""] = text.split(/^### The last eight/m);
    const newest = [
      ...last.matchAll(/^\|[^|]*\| (?:one file|\d files) \|[^|]*\| (\d+), ([\d,]+) \([\d,]+\), ([\d.]+) \|/gm),
    ];
    expect(newest).toHaveLength(8);
    const range = (values: readonly number[], shown: (value: number) => string) =>
      `${shown(Math.min(...values))} to ${shown(Math.max(...values))}`;
    const tokens = newest.map(([, , sent = ""]) => Number(sent.replaceAll(",", "")));
    const money = newest.map(([, , , dollars]) => Number(dollars));
    expect(readme).toContain(`${range(tokens, (value) => value.toLocaleString("en-US"))} tokens`);
    expect(readme).toContain(range(money, (value) => `$${(Math.round(value * 100) / 100).toFixed(2)}`));
    expect(readme).toContain(
      `${range(
        newest.map(([, calls]) => Number(calls)),
        String,
      )} model calls one after another`,
    );
  });

  it("names commands that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
  });
});
