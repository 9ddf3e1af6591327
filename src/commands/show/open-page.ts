import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readRun } from "../../data/read-record.ts";
import { renderPage } from "../../report/run/page.ts";
import { runDocument } from "../../report/run/run-document.ts";
import type { RunReport } from "../../run/runs.ts";
import { openInBrowser } from "../open-in-browser.ts";

/**
 * Shows a page in the browser: `file`, or a temporary file that only its owner can read. Gives a sentence that names
 * the file. It stays, because we cannot know when a browser has read it, or whether there is one.
 */
export async function openPage(html: string, file?: string): Promise<string> {
  const place = file === undefined ? await writeTemporary(html) : path.resolve(file);
  const isOpen = await openInBrowser(place);
  return isOpen ? `Opened in the browser: ${place}` : `No browser could be started. The page is in ${place}`;
}

/** Shows a run's page, as `magis show --open` does. */
export async function openReport(report: RunReport): Promise<string> {
  const run = readRun(JSON.parse(JSON.stringify(report)));
  if (run === undefined) throw new Error("a run's own report was not read as one");
  return openPage(renderPage(runDocument(run)));
}

async function writeTemporary(html: string): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "magis-page-")), "run.html");
  await writeFile(file, html, { mode: 0o600, flag: "wx" });
  return file;
}
