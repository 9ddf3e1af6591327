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

  it("says what was measured: solved, tokens and calls in a row are those of the table", () => {
    const [, table = ""] =
      /^\| instance \| first run[^\n]*\n[^\n]*\n((?:\|.*\n)+)/m.exec(read("bench/QUALITY.md")) ?? [];
    const rows = [...table.matchAll(/^\|[^|]*\|[^|]*\| step \d+: (\d+), (\d+), ([\d,]+) \| \**(yes|no)\** \|/gm)];
    expect(rows).toHaveLength(12);
    const solved = rows.filter(([, , , , resolved]) => resolved === "yes").length;
    const inRow = rows.map(([, , calls]) => Number(calls));
    const thousands = rows.map(([, , , tokens = ""]) => Math.round(Number(tokens.replaceAll(",", "")) / 1_000));
    expect(readme).toContain(`${solved} of ${rows.length} real bug fixes`);
    expect(readme).toContain(`${Math.min(...inRow)} to ${Math.max(...inRow)} model calls one after another`);
    expect(readme).toContain(`${Math.min(...thousands)},000 to ${Math.max(...thousands)},000 tokens`);
  });

  it("names commands that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
  });
});
