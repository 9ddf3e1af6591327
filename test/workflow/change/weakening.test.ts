import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../../src/adapters/tree-sitter/source-parser.ts";
import { findWeakenings } from "../../../src/workflow/change/weakening.ts";
import { HONEST } from "./honest-cases.ts";
import { LOOSENED, REMOVED } from "./removed-cases.ts";
import { SKIPPED } from "./skip-cases.ts";
import { CONFIGURED, SUPPRESSED } from "./suppression-cases.ts";
import type { WeakeningCase } from "./weakening-cases.ts";

const parser = createSourceParser();

const bytes = (text: string | undefined) => (text === undefined ? undefined : new TextEncoder().encode(text));

async function found({ files }: WeakeningCase) {
  const changed = files.map(({ path, before, after }) => ({ path, before: bytes(before), after: bytes(after) }));
  return findWeakenings(changed, parser);
}

const named = (cases: readonly WeakeningCase[]) => cases.map((one) => [one.what, one] as const);

describe.each([
  ["tests and assertions that go", REMOVED],
  ["tests that are skipped", SKIPPED],
  ["assertions and limits that are looser", LOOSENED],
  ["checks that are told to look away", SUPPRESSED],
  ["configuration of checks", CONFIGURED],
  ["honest changes", HONEST],
])("findWeakenings: %s", (_, cases) => {
  it.each(named(cases))("%s", async (_what, one) => {
    const weakenings = await found(one);
    const kinds = [...new Set(weakenings.map(({ kind }) => kind))].sort();
    expect({ kinds, weakenings }).toEqual({ kinds: [...one.kinds].sort(), weakenings });
  });
});
