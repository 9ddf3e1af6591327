import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { renderPage } from "../../../src/cli/show/page.ts";
import { renderTerminal } from "../../../src/cli/show/render-terminal.ts";
import { runDocument } from "../../../src/cli/show/run-document.ts";
import { measuredParts } from "../../../src/evaluation/measures/metrics.ts";
import { readRecord, readRun } from "../../../src/model/read-record.ts";
import type { StoredRecord } from "../../../src/model/run-record.ts";
import type { HostPullRequest } from "../../../src/ports/pull-requests.ts";
import { findOrigin } from "../../../src/workflow/run/run-tools.ts";
import { planMark, resumeStart } from "../../../src/workflow/run/start.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { sampleSettings } from "../../fakes/sample-settings.ts";
import { projectRoot } from "../../world/project-root.ts";

interface Report {
  readonly id: string;
  readonly record: StoredRecord;
}

/** The reports of a run on an issue and of one on its pull request, as the version without versions has kept them. */
async function report(name: "issue-run" | "pull-run"): Promise<Report> {
  const file = join(projectRoot(), "test", "model", "version-1", `${name}.json`);
  return JSON.parse(await readFile(file, "utf8")) as Report;
}

async function shown(name: "issue-run" | "pull-run") {
  const run = readRun(await report(name));
  if (run === undefined) throw new Error("not read as a run");
  return runDocument(run);
}

describe("a record of the version before", () => {
  it("is told on the terminal, part by part, with nothing left over", async () => {
    const text = renderTerminal(await shown("issue-run"), { columns: 100, colours: false });
    for (const words of [
      "Pull request #",
      "Mind the second line too.",
      "docs/a.txt [relevant]",
      "Looked at and not relevant",
      "fix: do what the issue asks for",
      "Order of work",
      "Change docs/a.txt [open comments] (t1)",
      "Spell the number out.",
      "c56314740bf3, signed by GitHub",
      "locate files",
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain("Also kept");
    const followUp = renderTerminal(await shown("pull-run"), { columns: 100, colours: false });
    for (const words of ["Change docs/other.txt [approved] (t3)", "assign remarks"]) expect(followUp).toContain(words);
    expect(followUp).not.toContain("Also kept");
  });

  it("is told on a page", async () => {
    const html = renderPage(await shown("issue-run"));
    expect(html).toContain("Mind the second line too.");
    expect(html).toContain('<span class="added">+A2</span>');
    expect(html).toContain("signed by GitHub");
  });

  it("is measured", async () => {
    const { located, tasks } = measuredParts((await report("issue-run")).record);
    expect(located).toEqual(["docs/a.txt", "docs/b.txt"]);
    expect(tasks.map(({ path, action }) => [path, action])).toEqual([
      ["docs/a.txt", "modify"],
      ["docs/b.txt", "modify"],
    ]);
  });

  it("is gone on with: the same issue, the same commit, and the plan that was approved", async () => {
    const { id, record } = await report("issue-run");
    const kept = readRecord(record);
    const next = sampleRequest({ id: "acme/shop#1@next", root: id, hint: "Once more." });
    const base = kept.start?.base ?? { branch: "", commit: "" };
    const host = { ...createFakeHost({}).host, branchTip: async () => base.commit };
    expect(await resumeStart(next, kept, host, async () => base)).toEqual({
      ...(record.start as object),
      by: next.id,
      issue: {
        ...(record.start as { issue: object }).issue,
        hint: "carefully\n\nMind the second line too.\n\nOnce more.",
      },
    });
    expect(kept.plan && planMark(kept.plan)).toBe(kept.start?.approved);
  });

  it("tells a revision what its pull request came of", async () => {
    const { id, record } = await report("issue-run");
    const pull = { number: 2, body: `<!-- magis:run ${id} -->`, branch: "magis/issue-1-capitals" } as HostPullRequest;
    const earlierRun = () => ({
      record: async () => readRecord(record),
      state: async () => undefined,
      saveState: async () => undefined,
    });
    const origin = await findOrigin(sampleRequest(), pull, {
      host: createFakeHost({}).host,
      earlierRun,
      settings: sampleSettings(),
    });
    expect(origin).toMatchObject({
      root: id,
      base: "085b626bffaeb6b706ec28cbc42a8b9d9bdde7ca",
      issue: { title: "Capitals in docs/a.txt and docs/b.txt", author: "alice" },
      roles: [
        {
          path: "docs/a.txt",
          developer: { title: "Developer for docs/a.txt", description: "Takes care." },
          qaEngineer: { title: "QA Engineer for docs/a.txt", description: "Takes care." },
        },
        { path: "docs/b.txt" },
      ],
    });
  });
});
