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

  it("names its two commands, and what the second leaves to a third", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const command of ["npm install && npm run demo", "npm test", "npm run test:all"])
      expect(readme).toContain(`\`${command}\``);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["demo", "test", "test:all"]));
  });

  it("gives the sums of solved issues", () => {
    const rows = [...quality.matchAll(/^\| [^|]+ \| \**(\d+)\** \| \**(\d+)\**(?:, [^|]*)? \| \**(\d+)\** \|$/gm)];
    const figures = rows.map(([, ...numbers]) => numbers.map(Number));
    const [fixes = 0, own = 0, shell = 0] = figures.at(-1) ?? [];
    const sum = (at: number) => figures.slice(0, -1).reduce((total, row) => total + (row[at] ?? 0), 0);
    expect([fixes, own, shell]).toEqual([0, 1, 2].map(sum));
    expect(flat(readme)).toContain(`${own} of ${fixes} real fixes`);
    expect(flat(readme)).toContain(`a shell agent solved ${shell},`);
  });

  it("gives the tokens, money and successive calls of the last ten fixes", () => {
    const [, last = ""] = quality.split("\n## The last ten\n");
    const newest = [...last.matchAll(/^\|[^|]*\| (\d+), ([\d,]+) \([\d,]+\), ([\d.]+), \d \+ \d \|/gm)].map(
      ([, calls = "", sent = "", dollars = ""]) => ({ calls, sent, dollars }),
    );
    expect(newest).toHaveLength(10);
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
