import { describe, expect, it } from "@jest/globals";
import { locateFiles } from "../../../src/agents/phases.ts";
import type { Ablation } from "../../../src/data/settings.ts";
import type { FakeCall, FakeScript } from "../../fakes/create-fake-model.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";

const INVOICE = "import a from './a.js';\nexport function discountOf(invoice) {\n  return invoice.discount;\n}\n";
const FILES = { "src/invoice.js": INVOICE, "src/a.js": "// the invoice's discount\n", "hidden.js": "qqq\n" };

type Verdict = "change" | "read" | "no";
const judging = (verdict: (path: string) => Verdict, more: readonly string[] = []) => ({
  "c02-locate-files": ({ text }: FakeCall) => ({
    files: [...text.matchAll(/^## `(.+)`$/gm)].map(([, path = ""]) => ({
      path,
      reason: "So it is.",
      verdict: verdict(path),
      names: [],
      summary: `About ${path}.`,
    })),
    more: more.map((path) => ({ path, verdict: "change", reason: "Likely.", names: [] })),
  }),
});

async function locating(
  script: FakeScript,
  { candidates = 2, ablate = [] as Ablation[] } = {},
  files: Readonly<Record<string, string>> = FILES,
) {
  const shop = await openWorkshop({ files, script, settings: { ablate } });
  return { ...shop, locate: () => locateFiles({ ...shop.tools, candidates }) };
}

describe("locateFiles in the lean profile", () => {
  it("judges all files in one call: to change, to read, or neither", async () => {
    const { locate, asked } = await locating(judging((path) => (path.endsWith("a.js") ? "read" : "change")));
    const kept = await locate();
    expect(asked()).toEqual(["c02-locate-files"]);
    expect(kept.map(({ path, use, summary }) => ({ path, use, summary }))).toEqual([
      { path: "src/invoice.js", use: undefined, summary: "About src/invoice.js." },
      { path: "src/a.js", use: "read", summary: "About src/a.js." },
    ]);
    const dropped = await locating(judging((path) => (path.endsWith("a.js") ? "no" : "change")));
    expect((await dropped.locate()).map(({ path }) => path)).toEqual(["src/invoice.js"]);
  });

  it("shows outlines without imports, the lines nearest to the issue, and a map when there are more files", async () => {
    const { locate, of } = await locating(judging(() => "change"));
    await locate();
    const text = of("c02-locate-files")[0]?.text ?? "";
    expect(text).toMatch(/## `src\/invoice\.js`\n\n[^\n]+\n\n```text from file\ndiscountOf\n\d\|.*discount/);
    expect(text).not.toContain("import a from");
    expect(text).toContain("A map of the repository");
    for (const settings of [{ ablate: ["map" as const] }, { candidates: 5 }]) {
      const other = await locating(
        judging(() => "change"),
        settings,
      );
      await other.locate();
      expect(other.of("c02-locate-files")[0]?.text).not.toContain("A map of the repository");
    }
  });

  it("stays short in a large repository: less of lower hits, and the names around hits", async () => {
    const part = (folder: number, at: number) =>
      `${Array.from({ length: 60 }, (_, n) => `export function discountPart${folder}x${at}x${n}(invoice) {\n  return invoice.discountOf${n}(0.99);\n}\n`).join("")}`;
    const many = Object.fromEntries(
      Array.from({ length: 80 }, (_, at) => [
        `packages/shop/src/area${at % 12}/part-number-${at}.ts`,
        part(at % 12, at),
      ]),
    );
    const { locate, of } = await locating(
      judging(() => "change"),
      { candidates: 10 },
      many,
    );
    await locate();
    const [call] = of("c02-locate-files");
    const own = call?.request.parts.at(-1)?.text ?? "";
    expect(own.match(/^## `packages/gm)).toHaveLength(10);
    expect(own.length).toBeLessThanOrEqual(12_000);
    const sections = own.split(/^(?=## `)/m).slice(1, 10);
    expect(sections.at(-1)?.length).toBeLessThan((sections[0]?.length ?? 0) * 0.7);
    for (const [, folder = ""] of own.matchAll(/^## `(.*)\/[^/]*`$/gm)) expect(own).toContain(`\n${folder}/\n`);
  });

  it.each([
    [
      "conf",
      "# Copyright 2020 Invoice Discount Authors\n# Licensed under the Invoice License\n\nport = 1\ninvoice = discount\n",
    ],
    ["css", "/*\n  Copyright of the invoice discount\n*/\n@import 'a';\nport { invoice: discount }\n"],
    ["txt", "<!-- SPDX: invoice discount -->\nport of an invoice\n"],
    [
      "json",
      '{\n  "$id": "https://example.org/Copyright",\n  "$schema": "License",\n  "port": "invoice discount"\n}\n',
    ],
  ])("shows no licence of a file, nor the head of a schema: %s", async (ending, text) => {
    const { locate, of } = await locating(
      judging(() => "change"),
      { candidates: 1 },
      { [`invoice/discount.${ending}`]: text },
    );
    await locate();
    const shown = of("c02-locate-files")[0]?.text ?? "";
    expect(shown).toContain("port");
    expect(shown).not.toMatch(/Copyright|License|SPDX/);
  });

  it("takes no line behind a licence for a part of it", async () => {
    const licence = "/* Copyright of the authors, licensed as it is. */\n";
    const text = `${licence}#ifndef LIMITS\n#define LIMITS\n#define INVOICE_DISCOUNT 3\nstruct port { int a; };\n#endif\n`;
    const { locate, of } = await locating(
      judging(() => "change"),
      { candidates: 1 },
      { "invoice/discount.h": text },
    );
    await locate();
    expect(of("c02-locate-files")[0]?.text).toContain("#define INVOICE_DISCOUNT 3");
  });

  it.each([
    [
      "php",
      "<?php\nnamespace Some\\Where;\n\nuse function in_array;\n\n/** class of function builder */\nfunction discount() {}\n",
    ],
    [
      "java",
      "import com.other;\n/** class User {\n *  object adapter, */\nclass Other {\n  int discount() { return 1; }\n}\n",
      "Other, discount",
    ],
    ["js", "var http = require('http');\n/* function string\n   function none() {} */\nfunction discount() {}\n"],
    ["cs", "using System;\n/// class of things\nclass Other {\n  void discount() {}\n}\n", "Other, discount"],
    ["pl", "use strict;\n=pod\n\nsub none\n\n=cut\nsub discount {\n}\n"],
  ])(
    "maps what a file declares, and no words of its comments and imports: %s",
    async (ending, text, names = "discount") => {
      const files = { ...FILES, "src/a.js": "invoice discount\n".repeat(9), [`src/mapped.${ending}`]: text };
      const { locate, of } = await locating(
        judging(() => "change"),
        { candidates: 1 },
        files,
      );
      await locate();
      expect(of("c02-locate-files")[0]?.text).toContain(`\n  mapped.${ending}: ${names}\n`);
    },
  );

  it("lets the Custodian look around once, and name files beyond the map", async () => {
    const judge = judging(() => "change", ["hidden.js"])["c02-locate-files"];
    const { locate, calls, asked } = await locating({
      "c02-locate-files": (call: FakeCall) =>
        call.nth === 1 ? { tools: [{ name: "search", input: { pattern: "qqq" } }] } : judge(call),
    });
    expect((await locate()).map(({ path }) => path)).toContain("hidden.js");
    expect(asked()).toEqual(["c02-locate-files", "c02-locate-files"]);
    expect(calls[0]?.request.tools?.map(({ name }) => name).slice(0, 2)).toEqual(["search", "read"]);
    expect(JSON.stringify(calls[1]?.request.earlier)).toContain("hidden.js:1: qqq");
    const without = await locating(
      judging(() => "change"),
      { ablate: ["tools"] },
    );
    await without.locate();
    expect(without.calls[0]?.request.tools).toBeUndefined();
  });

  it("adds files that the answer names from the map, and ignores unknown paths", async () => {
    const { locate } = await locating(judging(() => "change", ["hidden.js", "made/up.js", "src/a.js"]));
    const kept = await locate();
    expect(kept.map(({ path }) => path)).toEqual(["src/invoice.js", "src/a.js", "hidden.js"]);
    expect(kept.at(-1)).toMatchObject({ reasons: ["named from the map: Likely."], summary: "Likely." });
  });

  it("takes files that the answer leaves out for irrelevant", async () => {
    const files = [{ path: "src/a.js", verdict: "change", reason: "At fault.", names: [], summary: "" }];
    const { locate, calls } = await locating({ "c02-locate-files": { files, more: [] } });
    expect((await locate()).map(({ path }) => path)).toEqual(["src/a.js"]);
    expect(calls).toHaveLength(1);
  });

  it("sends back an answer that names no file", async () => {
    const { locate, calls } = await locating({ "c02-locate-files": { files: [], more: [] } });
    await expect(locate()).rejects.toMatchObject({ code: "ANSWER_INVALID" });
    expect(calls[1]?.reply).toContain("These files were not judged: src/invoice.js, src/a.js");
  });

  it("remembers summaries, and shows them for the next issue if they are shorter than outlines", async () => {
    const names = Array.from({ length: 40 }, (_, at) => `export const invoiceDiscount${at} = 1;\n`);
    const long = `${INVOICE}${names.join("")}`;
    const shop = await openWorkshop({
      files: { "src/invoice.js": long },
      script: judging(() => "change"),
    });
    await locateFiles(shop.tools);
    expect(shop.kept.map(({ path, summary }) => ({ path, summary }))).toEqual([
      { path: "src/invoice.js", summary: "About src/invoice.js." },
    ]);
    await locateFiles(shop.tools);
    const [first = "", second = ""] = shop.of("c02-locate-files").map(({ text }) => text);
    expect(first).toContain("```text from file\ndiscountOf; invoiceDiscount0; ");
    expect(second).toMatch(/Its summary[^\n]*:\n\n```text from colleague\nAbout src\/invoice\.js\.\n```/);
    expect(second.replace(/ \(kept from[^)]*\)/, "").length).toBeLessThan(first.length);
    expect(shop.record.candidates).toMatchObject({ judged: [{ source: "remembered" }] });
  });

  it("remembers and recalls nothing without the memory", async () => {
    const { locate, kept, of } = await locating(
      judging(() => "change"),
      { ablate: ["memory"] },
    );
    await locate();
    await locate();
    expect(kept).toEqual([]);
    expect(of("c02-locate-files")[1]?.text).not.toContain("Its summary");
  });

  it("says once why it cannot show a named path", async () => {
    const script = judging(() => "change", ["src/nowhere.js", "yarn.lock", "hidden.js"]);
    const { locate, of } = await locating(script, { candidates: 2 }, { ...FILES, "yarn.lock": "# lock\n" });
    const kept = await locate();
    expect(kept.map(({ path }) => path)).toEqual(["src/invoice.js", "src/a.js", "hidden.js"]);
    const calls = of("c02-locate-files");
    expect(calls).toHaveLength(2);
    const again = JSON.stringify(calls[1]);
    expect(again).toContain("There is no file src/nowhere.js among those that were searched.");
    expect(again).toContain("yarn.lock is left out of what is searched: lock files (a lock file).");
  });
});
