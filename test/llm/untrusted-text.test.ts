import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { loadPrompts, type PromptLibrary } from "../../src/llm/prompt-library.ts";
import { renderPrompt } from "../../src/llm/render-prompt.ts";
import { PROMPTS_FOLDER } from "../fakes/open-prompts.ts";
import { typicalInputs } from "./typical-inputs.ts";

const IDS = Object.keys(typicalInputs());
let library: PromptLibrary;
beforeAll(async () => {
  library = await loadPrompts(PROMPTS_FOLDER);
});

/** Reads code fences as Markdown does: the lines outside of them, and the texts within. */
function readFences(text: string) {
  const outside: string[] = [];
  const inside: string[] = [];
  let fence = 0;
  for (const line of text.split("\n")) {
    const ticks = /^ {0,3}(`{3,})([^`]*)$/.exec(line);
    const run = ticks?.[1]?.length ?? 0;
    if (fence === 0) {
      outside.push(line.replace(/^`+/, "```"));
      if (run > 0) fence = run;
      if (run > 0) inside.push("");
    } else if (run >= fence && ticks?.[2]?.trim() === "") {
      fence = 0;
    } else inside.push(`${inside.pop() ?? ""}${line}\n`);
  }
  return { outside, inside, open: fence > 0 };
}

async function shown(id: string, untrusted: (text: string) => string) {
  const { parts } = await renderPrompt(library, id, typicalInputs(untrusted)[id] ?? {});
  return readFences(parts.map(({ text }) => text).join("\n\n"));
}

const piece = fc.oneof(
  fc.constantFrom("```", "````", "``````", "~~~", "\n", "\n\n\n\n", "`", " ", "# The issue", "%% cache\n", "---\n"),
  fc.constantFrom(
    "{{ issue.title }}",
    "{{ 6 | times: 7 }}",
    "{% raw %}",
    "{% render 'system' %}",
    "{%- assign x = 1 -%}",
  ),
  fc.string({ maxLength: 12 }),
);
// What it begins and ends with keeps the text from being empty, and from losing white space that is tested elsewhere.
const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => `<${pieces.join("")}>`);

describe.each(IDS)("%s", (id) => {
  it("shows untrusted text whole, behind a fence that it cannot end, and never renders it", async () => {
    const usual = await shown(id, () => "harmless");
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const now = await shown(id, () => text);
        expect(now.open).toBe(false);
        expect(now.outside).toEqual(usual.outside);
        const expected = usual.inside.map((one) => (one === "harmless\n" ? `${text}\n` : one));
        expect(now.inside).toEqual(expected);
      }),
      { numRuns: 40 },
    );
    expect(usual.inside.filter((one) => one === "harmless\n").length).toBeGreaterThan(0);
  });
});

it("text that stands in a line is folded to one line", async () => {
  const inputs = {
    ...typicalInputs()["p04-define-task"],
    candidates: [{ path: "a.js", summary: "One.\n\n# Two\n```" }],
  };
  const { parts } = await renderPrompt(library, "p04-define-task", inputs);
  expect(parts.at(-1)?.text).toContain("\n- `a.js`: One. # Two ```\n");
});

it("blank lines within code are the code's own: they are shown as they are", async () => {
  const { parts } = await renderPrompt(library, "p10-write-code", typicalInputs()["p10-write-code"] ?? {});
  expect(parts.at(-1)?.text).toContain("```text\na\n\n\n\nb\n```");
});
