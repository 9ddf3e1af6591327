import { describe, expect, it } from "@jest/globals";
import { makePlan, writeCode } from "../../src/agents/phases.ts";
import type { FakeCall } from "../fakes/create-fake-model.ts";
import { PAPER } from "../fakes/sample-settings.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";

const FILES = {
  "crlf.js": "a();\r\nb();\r\n",
  "bom.txt": "\ufeffone\n\n\n\ntwo",
  "fences.md": "# A\n\n```js\na();\n```\n",
  "empty.txt": "",
};
const cached = (call: FakeCall | undefined) => call?.request.parts.filter(({ cache }) => cache).map(({ text }) => text);

/** Runs planning and coding on one file with the team's usual answers. */
async function callsOn(path: keyof typeof FILES) {
  const shop = await openWorkshop({
    settings: PAPER,
    files: FILES,
    script: {
      "p09-locate-lines": { intervals: [{ start: 1, end: 0, change: "A line." }], summary: "A line.", replies: [] },
    },
  });
  const plan = await makePlan({ ...shop.tools, candidates: [shop.candidate(path)] });
  await writeCode({ ...shop.tools, plan });
  return shop;
}

describe("cached parts", () => {
  it.each(Object.keys(FILES) as (keyof typeof FILES)[])("are the same in P4, P8, P9 and P10 for %s", async (path) => {
    const { of } = await callsOn(path);
    const first = cached(of("p04-define-task")[0]);
    expect(first).toHaveLength(2);
    for (const id of ["p08-describe-qa-engineer", "p09-locate-lines", "p10-write-code"]) {
      expect({ id, cached: cached(of(id)[0]) }).toEqual({ id, cached: first });
    }
  });

  it("are the same when the run asks again", async () => {
    const [first, second] = [await callsOn("crlf.js"), await callsOn("crlf.js")];
    expect(second.calls.map(({ request }) => request)).toEqual(first.calls.map(({ request }) => request));
  });
});
