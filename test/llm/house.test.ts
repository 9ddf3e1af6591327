import { describe, expect, it } from "@jest/globals";
import { type House, PLAIN_HOUSE } from "../../src/llm/house.ts";
import { loadPrompts } from "../../src/llm/load-prompts.ts";
import { renderPrompt } from "../../src/llm/render-prompt.ts";
import { typicalInputs } from "./typical-inputs.ts";

const FOLDER = new URL("../../prompts", import.meta.url).pathname;
const rendered = async (id: string, house?: House) =>
  renderPrompt(await loadPrompts(FOLDER), id, typicalInputs()[id] ?? {}, house);

describe("what a repository has to say to every prompt", () => {
  it("changes nothing where it says nothing", async () => {
    expect(await rendered("p09-locate-lines", PLAIN_HOUSE)).toEqual(await rendered("p09-locate-lines"));
  });

  it("adds instructions and language to the system text, fenced where they are text", async () => {
    const { system } = await rendered("p02-summarise-file", {
      ...PLAIN_HOUSE,
      instructions: "No ```",
      language: "French\nx",
    });
    expect(system).toContain("````text\nNo ```\n````");
    expect(system).toContain("in this language: French x.");
  });

  it("shows guidance first, as a part that is cached, to the strong tier only", async () => {
    const house = { ...PLAIN_HOUSE, guidance: [{ path: "AGENTS.md", text: "Use {{ tabs }}." }] };
    const strong = await rendered("p04-define-task", house);
    expect(strong.parts[0]).toMatchObject({ cache: true, text: expect.stringContaining("Use {{ tabs }}.") });
    expect(strong.parts.slice(1)).toEqual((await rendered("p04-define-task")).parts);
    expect(await rendered("p02-summarise-file", house)).toEqual(await rendered("p02-summarise-file"));
  });

  it("names the tier's model and effort", async () => {
    const request = await rendered("p04-define-task", {
      ...PLAIN_HOUSE,
      models: { strong: "m" },
      effort: { fast: "low" },
    });
    expect(request).toMatchObject({ model: "m" });
    expect(request).not.toHaveProperty("effort");
  });
});
