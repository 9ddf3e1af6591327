import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../../src/adapters/tree-sitter/source-parser.ts";
import { findTampering } from "../../../src/workflow/change/test-tampering.ts";
import { HONEST } from "./honest-cases.ts";
import { LOOSENED, REMOVED } from "./removed-cases.ts";
import { SKIPPED } from "./skip-cases.ts";
import { CONFIGURED, SUPPRESSED } from "./suppression-cases.ts";
import type { TamperingCase } from "./tampering-cases.ts";

const parser = createSourceParser();

const bytes = (text: string | undefined) => (text === undefined ? undefined : new TextEncoder().encode(text));

async function found({ files }: TamperingCase) {
  const changed = files.map(({ path, before, after }) => ({ path, before: bytes(before), after: bytes(after) }));
  return findTampering(changed, parser);
}

const named = (cases: readonly TamperingCase[]) => cases.map((one) => [one.what, one] as const);

describe.each([
  ["removed tests and assertions", REMOVED],
  ["skipped tests", SKIPPED],
  ["looser assertions and limits", LOOSENED],
  ["suppressed checks", SUPPRESSED],
  ["configuration of checks", CONFIGURED],
  ["honest changes", HONEST],
])("findTampering: %s", (_, cases) => {
  it.each(named(cases))("%s", async (_what, one) => {
    const tampering = await found(one);
    const kinds = [...new Set(tampering.map(({ kind }) => kind))].sort();
    expect({ kinds, tampering }).toEqual({ kinds: [...one.kinds].sort(), tampering });
  });
});
