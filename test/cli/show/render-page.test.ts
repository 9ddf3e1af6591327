import { describe, expect, it } from "@jest/globals";
import { escapeHtml } from "../../../src/cli/show/html.ts";
import { renderPage } from "../../../src/cli/show/page.ts";
import { createTimeScale } from "../../../src/cli/show/page-timeline.ts";
import { runDocument } from "../../../src/cli/show/run-document.ts";
import { readRun } from "../../../src/model/read-record.ts";
import { HOSTILE, hostileReport } from "./hostile-report.ts";
import { emptyReport, sampleReport } from "./sample-report.ts";

function page(report: unknown): string {
  const run = readRun(JSON.parse(JSON.stringify(report)));
  if (run === undefined) throw new Error("not read as a run");
  return renderPage(runDocument(run));
}

describe("a run as a page", () => {
  it("has a table of contents of its sections, diffs by line, bars and a time line", () => {
    const html = page(sampleReport());
    for (const id of ["issue", "candidates", "plan", "code", "proof", "result", "calls", "other"]) {
      expect(html).toContain(`<a href="#${id}">`);
      expect(html).toContain(`<section id="${id}"`);
    }
    expect(html).toContain('<span class="removed">--- a comment of another language</span>');
    expect(html).toContain('<span class="added">++ rounded;</span>');
    expect(html).toContain('<span class="head">--- a/src/money.js</span>');
    expect(html).toContain('<span class="fill m0" style="width:50%">');
    expect(html.match(/<rect /g)).toHaveLength(7);
    expect(html.match(/<rect class="failed"/g)).toHaveLength(1);
    expect(html).toContain("<title>pause of 1 h 0 min</title>");
    expect(html).toContain('<a href="https://host.example/ana/shop/issues/7" rel="noopener noreferrer">');
    expect(html).toContain("See <code>discountOf</code> in src/invoice.js.</p>");
  });

  it("is made of the tags that we write and of no others, whatever a run's texts are", () => {
    const html = page(hostileReport());
    const tags = new Set(
      [...html.matchAll(/<(\/?[a-z!][^\s>]*)/gi)].map(([, tag]) => tag?.replace("/", "").toLowerCase()),
    );
    for (const tag of ["script", "img", "!--", "iframe", "object"]) expect([...tags]).not.toContain(tag);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html.match(/<\/title>/g)?.length).toBe(html.match(/<title>/g)?.length);
    expect(html).not.toMatch(/<[^>]*\son\w+=/);
    expect(html).not.toMatch(/href="(?!https?:|#|data:,")/);
    expect(html).toContain("⟨U+202E⟩");
    expect(html).toContain("⟨U+0000⟩");
  });

  it("loads and runs nothing", () => {
    const html = page(sampleReport());
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(script|link rel="stylesheet")|@import|url\(/);
  });

  it("shows an empty record as one", () => {
    expect(page(emptyReport())).toContain("No call is kept.");
  });
});

describe("escapeHtml", () => {
  it("leaves nothing that ends a text or an attribute", () => {
    expect(escapeHtml(HOSTILE)).not.toMatch(/[<>"']/);
    expect(escapeHtml("a & b\r\n\tc \ud800")).toBe("a &amp; b\n\tc ⟨U+D800⟩");
  });
});

describe("createTimeScale", () => {
  it("places moments in their order, from 0 to 1", () => {
    const { at, pauses, whole } = createTimeScale([
      { began: 1000, elapsed: 1000 },
      { began: 2500, elapsed: 1500 },
    ]);
    expect([1000, 2000, 2500, 4000].map(at)).toEqual([0, 1 / 3, 0.5, 1]);
    expect({ pauses, whole }).toEqual({ pauses: [], whole: 3000 });
  });

  it("cuts a long pause short and goes on after it", () => {
    const { at, pauses } = createTimeScale([
      { began: 0, elapsed: 40_000 },
      { began: 3_640_000, elapsed: 40_000 },
    ]);
    expect([0, 40_000, 50_000, 100_000, 3_640_000, 3_680_000].map(at)).toEqual([0, 0.4, 0.5, 0.6, 0.6, 1]);
    expect(pauses).toEqual([{ at: 0.5, lasted: 3_600_000 }]);
  });

  it("is nothing without calls, and takes calls without length", () => {
    expect(createTimeScale([]).at(5)).toBe(1);
    expect(createTimeScale([{ began: 5, elapsed: 0 }]).at(5)).toBe(0);
  });
});
