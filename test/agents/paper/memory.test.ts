import { describe, expect, it } from "@jest/globals";
import { locateFiles } from "../../../src/agents/phases.ts";
import type { RunSettings } from "../../../src/data/settings.ts";
import { createFakeRepository } from "../../fakes/create-git-objects.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";

const text = (n: number) =>
  Array.from({ length: 30 }, (_, line) => `export const discount${n}x${line} = (invoice) => ${line};\n`).join("");
const FILES = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`src/invoice${n}.js`, text(n)]));

async function openShop(settings: Partial<RunSettings> = {}) {
  const shop = await openWorkshop({ files: FILES, settings: PAPER });
  const { objects } = shop.state;
  const tools = { ...shop.tools, settings: { ...shop.tools.settings, ...settings } };
  let commit = shop.base.commit;
  /** Locates at the newest commit; gives the number of calls by prompt. */
  const locate = async (body: string) => {
    const from = shop.calls.length;
    const repository = createFakeRepository(objects, commit);
    await locateFiles({ ...tools, repository, issue: { ...tools.issue, body } });
    const counts: Record<string, number> = {};
    for (const id of shop.asked().slice(from)) counts[id] = (counts[id] ?? 0) + 1;
    return counts;
  };
  const change = (contents: Readonly<Record<string, string>>) => {
    const edits = Object.entries(contents).map(([path, content]) => ({
      path,
      mode: "100644" as const,
      blob: objects.addBlob(new TextEncoder().encode(content)),
    }));
    const tree = objects.addTree(objects.commit(commit).tree, edits);
    commit = objects.addCommit({ tree, parents: [commit], message: "Next", author: "ana", verified: false }, "next");
  };
  return { ...shop, locate, change };
}

describe("the evolution memory over consecutive issues", () => {
  it("needs exactly 3 P1 calls after a commit that changes 3 of 10 candidates", async () => {
    const { locate, change } = await openShop();
    await locate("The invoice's discount.");
    change(Object.fromEntries([2, 5, 7].map((n) => [`src/invoice${n}.js`, text(n).replace("=> 3;", "=> 33;")])));
    expect(await locate("The invoice's discount.")).toEqual({ "p01-summarise-change": 3, "p03-judge-relevance": 10 });
    expect(await locate("The invoice's discount.")).toEqual({ "p03-judge-relevance": 10 });
  });

  it("can be left out: nothing is recalled or learned", async () => {
    const { locate, kept } = await openShop({ ablate: ["memory"] });
    for (let issue = 0; issue < 2; issue++)
      expect(await locate("The invoice's discount.")).toMatchObject({ "p02-summarise-file": 10 });
    expect(kept).toEqual([]);
  });
});

describe("P2's prompt", () => {
  it("shows the whole file, however long", async () => {
    const long = Array.from({ length: 900 }, (_, i) => `export function discountOfInvoice${i}() {\n}\n`).join("");
    const shop = await openWorkshop({ files: { "src/invoice.js": long }, settings: PAPER });
    await locateFiles(shop.tools);
    expect(shop.of("p02-summarise-file")[0]?.text).toContain(long);
  });
});
