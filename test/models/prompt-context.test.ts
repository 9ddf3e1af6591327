import { describe, expect, it } from "@jest/globals";
import { loadPrompts } from "../../src/models/prompt-library.ts";
import { PLAIN_CONTEXT, type PromptContext, renderPrompt } from "../../src/models/render-prompt.ts";
import { typicalInputs } from "./typical-inputs.ts";

const FOLDER = new URL("../../prompts", import.meta.url).pathname;
const rendered = async (id: string, context?: PromptContext) =>
  renderPrompt(await loadPrompts(FOLDER), id, typicalInputs()[id] ?? {}, context);

describe("a repository's additions to every prompt", () => {
  it("put instructions, fenced, and the language into the system text", async () => {
    const { system } = await rendered("p02-summarise-file", {
      ...PLAIN_CONTEXT,
      instructions: "No ```",
      language: "French\nx",
    });
    expect(system).toContain("````text from maintainer\nNo ```\n````");
    expect(system).toContain("in this language: `French x`.");
  });

  it("show guidance to the strong tier only, in a cached part after the issue", async () => {
    const context = { ...PLAIN_CONTEXT, guidance: [{ path: "AGENTS.md", text: "Use {{ tabs }}." }] };
    const strong = await rendered("p04-define-task", context);
    expect(strong.parts[1]).toMatchObject({ cache: true, text: expect.stringContaining("Use {{ tabs }}.") });
    expect(strong.parts.toSpliced(1, 1)).toEqual((await rendered("p04-define-task")).parts);
    expect(await rendered("p02-summarise-file", context)).toEqual(await rendered("p02-summarise-file"));
  });

  it.each([
    ["nothing", [], []],
    ["guidance", [{ path: "AGENTS.md", text: "Use tabs." }], []],
    ["images", [], [{ mediaType: "image/png" as const, hash: "a", data: "AAAA" }]],
    [
      "both",
      [{ path: "AGENTS.md", text: "Use tabs." }],
      [{ mediaType: "image/png" as const, hash: "a", data: "AAAA" }],
    ],
  ])("let plan, change and review begin alike, with %s after the issue", async (_, guidance, images) => {
    const library = await loadPrompts(FOLDER);
    const context = { ...PLAIN_CONTEXT, guidance };
    const [plan = [], change = [], review] = await Promise.all(
      ["p04-plan-work", "p09-change-file", "p11-review-work"].map(async (id) => {
        const { parts } = await renderPrompt(library, id, typicalInputs()[id] ?? {}, context, images);
        return parts.filter(({ cache }) => cache);
      }),
    );
    expect(plan).toHaveLength(2 + guidance.length + images.length);
    expect(review).toEqual(plan);
    expect(change).toEqual(plan.slice(0, -1));
  });

  it("set the tier's model and effort", async () => {
    const request = await rendered("p04-define-task", {
      ...PLAIN_CONTEXT,
      models: { strong: "m" },
      effort: { fast: "low" },
    });
    expect(request).toMatchObject({ model: "m" });
    expect(request.effort).toBeUndefined();
  });
});
