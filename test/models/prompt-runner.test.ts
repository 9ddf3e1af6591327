import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { createPromptRunner } from "../../src/models/prompt-runner.ts";
import { PLAIN_CONTEXT } from "../../src/models/render-prompt.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { typicalInputs } from "./typical-inputs.ts";

const ID = "p05-describe-developer";
const INPUTS = typicalInputs()[ID] ?? {};
const Shape = z.object({ title: z.string().min(1), level: z.int() });
const GOOD = { title: "Developer", level: 3 };

async function asking(
  answers: readonly FakeScript[string][],
  check?: (answer: z.infer<typeof Shape>) => string | undefined,
) {
  const fake = await openPrompts({ [ID]: ({ nth }) => answers[nth - 1] as string });
  return { ...fake, answer: fake.prompts.ask(ID, INPUTS, Shape, check) };
}

describe("ask", () => {
  it("returns the typed answer, and sends the shape's schema", async () => {
    const { answer, calls } = await asking([GOOD]);
    expect(await answer).toEqual(GOOD);
    expect(calls[0]?.request).toMatchObject({ tier: "strong", maxTokens: 6000, earlier: [] });
    expect(calls[0]?.request.schema).toMatchObject({ type: "object", required: ["title", "level"] });
  });

  it("spells the paths of an answer as the repository does", async () => {
    const path = "docs/caf\u00e9.md";
    const { model, library } = await openPrompts({ [ID]: { path, tasks: [{ path, title: path }] } });
    const tree = new Map([[path.normalize("NFD"), undefined]]);
    const { signal } = new AbortController();
    const shape = z.object({ path: z.string(), tasks: z.array(z.object({ path: z.string(), title: z.string() })) });
    const answer = await createPromptRunner(library, model, signal, { ...PLAIN_CONTEXT, tree }).ask(ID, INPUTS, shape);
    const spelt = path.normalize("NFD");
    expect(answer).toEqual({ path: spelt, tasks: [{ path: spelt, title: path }] });
  });

  it("sends an invalid answer back once, with the answer and a reason", async () => {
    const { answer, calls } = await asking([{ title: "Developer", level: "high" }, GOOD]);
    expect(await answer).toEqual(GOOD);
    expect(calls[1]?.request).toEqual({
      ...calls[0]?.request,
      earlier: [
        {
          answer: '{"title":"Developer","level":"high"}',
          reply: expect.stringMatching(/does not have the given shape:[\s\S]*level/),
        },
      ],
    });
  });

  it("sends back an answer that fails the check, and an empty one as `(no text)`", async () => {
    const low = await asking([{ ...GOOD, level: 0 }, GOOD], ({ level }) =>
      level > 0 ? undefined : "The level is too low.",
    );
    expect(await low.answer).toEqual(GOOD);
    expect(low.calls[1]?.reply).toBe("The level is too low.");
    const empty = await asking(["", GOOD]);
    expect(await empty.answer).toEqual(GOOD);
    expect(empty.calls[1]?.request.earlier[0]).toMatchObject({ answer: "(no text)" });
  });

  it("throws ANSWER_INVALID with the second reason after two wrong answers", async () => {
    const { answer, calls } = await asking(["{", "no"]);
    await expect(answer).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: expect.stringContaining("holds no JSON object"),
    });
    expect(calls).toHaveLength(2);
  });

  it("sends the whole reason back, and throws it, up to a bound", async () => {
    const { prompts, calls } = await openPrompts({ [ID]: "bad" });
    const answer = prompts.write(ID, INPUTS, () => `Wrong lines:\n- Line 3.\n${"x".repeat(9_000)}`);
    const error = await answer.catch((caught: unknown) => caught);
    const whole = calls[1]?.reply ?? "";
    expect(error).toMatchObject({
      message: "The model's answer could not be used: Wrong lines.",
      data: { reason: whole },
    });
    expect(whole).toMatch(/^Wrong lines:\n- Line 3\.\nx/);
    expect(whole.length).toBeLessThan(9_000);
  });

  it("throws MODEL_REFUSED at once for a refusal", async () => {
    const { answer, calls } = await asking([{ stop: "refusal", text: "I will not." }]);
    await expect(answer).rejects.toMatchObject({ code: "MODEL_REFUSED", data: { promptId: ID } });
    expect(calls).toHaveLength(1);
  });

  it("asks again with twice the tokens after a cut-off answer, then throws MODEL_CUT_OFF", async () => {
    const cut = { stop: "length", text: '{"title":' } as const;
    const good = await asking([cut, GOOD]);
    expect(await good.answer).toEqual(GOOD);
    expect(good.calls.map(({ request }) => [request.maxTokens, request.earlier.length])).toEqual([
      [6000, 0],
      [12_000, 0],
    ]);
    const bad = await asking([cut, cut]);
    await expect(bad.answer).rejects.toMatchObject({ code: "MODEL_CUT_OFF" });
    expect(bad.calls).toHaveLength(2);
  });

  it.each([
    ["a fence", `\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``],
    ["words around it", `Here it is: ${JSON.stringify(GOOD)} I hope it helps.`],
    ["surplus keys", JSON.stringify({ ...GOOD, extra: { a: 1 } })],
    ["white space", `\n\n  ${JSON.stringify(GOOD, null, 2)}\n`],
  ])("reads an answer with %s", async (_, text) => {
    const { answer } = await asking([text]);
    expect(await answer).toEqual(GOOD);
  });
});

describe("write", () => {
  it("returns the text unchanged, with white space and fences", async () => {
    const { prompts } = await openPrompts({ [ID]: "\n```js\na();\n```\n" });
    expect(await prompts.write(ID, INPUTS)).toBe("\n```js\na();\n```\n");
  });

  it("sends the text back once when the check fails, and sends no schema", async () => {
    const { prompts, calls } = await openPrompts({ [ID]: ({ nth }) => (nth === 1 ? "bad" : "good") });
    expect(await prompts.write(ID, INPUTS, (text) => (text === "bad" ? "Not bad." : undefined))).toBe("good");
    expect(calls.map(({ request }) => request.schema)).toEqual([undefined, undefined]);
    expect(calls[1]?.request.earlier).toEqual([{ answer: "bad", reply: "Not bad." }]);
  });
});
