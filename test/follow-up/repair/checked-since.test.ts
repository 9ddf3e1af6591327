import { expect, it } from "@jest/globals";
import { readSituation } from "../../../src/follow-up/repair/read-situation.ts";
import { proofBlock, untested } from "../../../src/report/proof.ts";
import { NUMBER } from "../own-pull.ts";
import { check, repairing } from "./repairing.ts";

const NOTHING_RAN = { unproved: untested.noChecks, keep: false };
const PROVED_NOTHING = { unproved: untested.noTest, keep: false, ran: true };

it.each([
  ["a draft that said that nothing was tested", NOTHING_RAN, true, "passed", true],
  ["one that was never a draft", NOTHING_RAN, false, "passed", true],
  ["one whose check ran before and proved nothing", PROVED_NOTHING, false, "passed", false],
  ["one whose check is red", NOTHING_RAN, false, "failed", false],
  ["one whose check still runs", NOTHING_RAN, false, "pending", false],
  ["one of which only the app's own check is green", NOTHING_RAN, false, "own", false],
] as const)("says what green checks change about %s", async (_, state, draft, of, isCorrected) => {
  const { tools, head, state: host } = await repairing("test/sum.test.js");
  const settings = { ...tools.settings, draft, ciRounds: 0 };
  await tools.host.updatePullRequest(NUMBER, { body: `Words.\n\n${proofBlock(state)}\n\nMore.` });
  host.checks.set(head, [of === "own" ? check("passed", { byApp: true }) : check(of)]);
  await readSituation({ ...tools, settings }, head);
  const { body } = await tools.host.readPullRequest(NUMBER);
  expect(body.includes(`The checks passed on ${head.slice(0, 10)}, but no test`)).toBe(isCorrected);
  expect(body.includes("## Not tested")).toBe(state === NOTHING_RAN && !isCorrected);
  expect(body).toMatch(/^Words\..*More\./s);
});
