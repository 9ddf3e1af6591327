import { renderTerminal } from "../../../src/commands/show/render-terminal.ts";
import { readRun } from "../../../src/data/read-record.ts";
import type { Node, RunDocument } from "../../../src/report/run/document.ts";
import { renderPage } from "../../../src/report/run/page.ts";
import { runDocument } from "../../../src/report/run/run-document.ts";

/** The document of a report that came as JSON, from a file or another process. */
export function documentOf(report: unknown): RunDocument {
  const run = readRun(JSON.parse(JSON.stringify(report)));
  if (run === undefined) throw new Error("not read as a run");
  return runDocument(run);
}

/** A run as text, on a terminal without colours unless told. */
export const textOf = (report: unknown, columns = 100, colours = false) =>
  renderTerminal(documentOf(report), { columns, colours });

/** A run as a page. */
export const pageOf = (report: unknown) => renderPage(documentOf(report));

const alone = (body: readonly Node[]): RunDocument => ({
  title: "Title",
  subtitle: "",
  sections: [{ id: "one", title: "One", body }],
});

/** Nodes as the page has them. */
export function nodesAsHtml(body: readonly Node[]): string {
  const html = renderPage(alone(body));
  return html.slice(html.indexOf("</h2>") + "</h2>".length, html.lastIndexOf("</section></main>"));
}

/** Nodes as lines of a terminal. */
export function nodesAsLines(body: readonly Node[], columns: number, colours = false): string[] {
  const lines = renderTerminal(alone(body), { columns, colours }).split("\n");
  // Before them stand the title, the section's and the rule below it.
  return lines.slice(lines.findIndex((line) => line.includes("───")) + 1);
}
