import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { createPromptRunner } from "../../src/llm/prompt-runner.ts";
import type { Tool } from "../../src/llm/toolset.ts";
import type { FakeAnswer, FakeCall } from "../fakes/create-fake-model.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { typicalInputs } from "./typical-inputs.ts";

const PROMPT = "p05-describe-developer";
const ANSWER = { title: "Developer", description: "Takes care." };
const Shape = z.object({ title: z.string().max(20), description: z.string() });
const inputs = typicalInputs()[PROMPT] ?? {};
const look = (...inputs: unknown[]) => ({ tools: inputs.map((input) => ({ name: "read", input })) });

function reader() {
  const read: unknown[] = [];
  const tool: Tool = {
    ...{ name: "read", description: "Reads a file.", shape: z.object({ path: z.string() }) },
    async run(input) {
      read.push(input);
      return `content of ${(input as { path: string }).path}`;
    },
  };
  return { read, tool };
}

async function asking(answers: (call: FakeCall) => FakeAnswer, turns = 3) {
  const { read, tool } = reader();
  const fake = await openPrompts({ [PROMPT]: answers });
  const ask = () => fake.prompts.ask(PROMPT, inputs, Shape, undefined, { tools: [tool], turns });
  const results = (call: number) =>
    fake.calls[call]?.request.earlier.flatMap((one) => ("results" in one ? one.results.map(({ text }) => text) : []));
  return { ...fake, read, ask, results };
}

describe("an agent with tools", () => {
  it("is told of them, and answers with what they gave in view", async () => {
    const { ask, calls, read, results } = await asking(({ nth }) => (nth === 1 ? look({ path: "a.js" }) : ANSWER));
    expect(await ask()).toEqual(ANSWER);
    expect(calls.map(({ request }) => request.tools?.map(({ name }) => name))).toEqual([["read"], ["read"]]);
    expect(calls[0]?.request.tools?.[0]).toMatchObject({ inputSchema: { type: "object", required: ["path"] } });
    expect(read).toEqual([{ path: "a.js" }]);
    expect(results(1)).toEqual(["content of a.js\n\n(39985 of 40000 characters are left for look-ups.)"]);
  });

  it("may make several calls at once, has a number of turns, and then has to answer", async () => {
    const { ask, calls, read } = await asking(
      ({ request }) => (request.mustAnswer ? ANSWER : look({ path: "a" }, { path: "b" })),
      2,
    );
    expect(await ask()).toEqual(ANSWER);
    expect(calls.map(({ request }) => request.mustAnswer === true)).toEqual([false, false, true]);
    expect(read).toHaveLength(4);
  });

  it("is told what is wrong with a call, and which tools there are", async () => {
    const { ask, read, results } = await asking(({ nth }) =>
      nth === 1
        ? {
            tools: [
              { name: "read", input: { file: "a" } },
              { name: "rm", input: {} },
            ],
          }
        : ANSWER,
    );
    await ask();
    expect(read).toEqual([]);
    expect(results(1)).toEqual([
      expect.stringMatching(/The input of read is wrong:[\s\S]*path/),
      expect.stringMatching(/^There is no tool rm\. The tools are: read\./),
    ]);
  });

  it("gets no more than eight results a turn", async () => {
    const many = Array.from({ length: 10 }, (_, at) => ({ path: `${at}` }));
    const { ask, read, results } = await asking(({ nth }) => (nth === 1 ? look(...many) : ANSWER));
    await ask();
    expect(read).toHaveLength(8);
    expect(results(1)?.slice(8)).toEqual(Array(2).fill(expect.stringContaining("Nothing more can be looked up")));
  });

  it("has room for so much, divided among the calls of a turn, small results first, and is told what is left", async () => {
    const sizes: Readonly<Record<string, number>> = { long: 77_000, small: 1_000, wide: 50_000 };
    const asked: unknown[] = [];
    const tool: Tool = {
      ...{ name: "read", description: "Reads.", shape: z.object({ path: z.string() }) },
      async run(input, room) {
        const { path } = input as { path: string };
        asked.push([path, room]);
        return "x".repeat(Math.min(sizes[path] ?? 0, room ?? Number.POSITIVE_INFINITY));
      },
    };
    const fake = await openPrompts({
      [PROMPT]: ({ nth, request }: FakeCall) =>
        request.mustAnswer
          ? ANSWER
          : nth === 1
            ? look({ path: "small" })
            : look({ path: "long" }, { path: "small" }, { path: "wide" }),
    });
    await fake.prompts.ask(PROMPT, inputs, Shape, undefined, { tools: [tool], turns: 3, room: 20_000 });
    const texts = (call: number) =>
      fake.calls[call]?.request.earlier.map((one) => ("results" in one ? one.results.map(({ text }) => text) : []));
    expect(texts(1)?.[0]?.[0]).toMatch(/\(19000 of 20000 characters are left for look-ups\.\)$/);
    expect(texts(2)?.[1]?.map(({ length }) => Math.round(length / 1_000))).toEqual([9, 1, 9]);
    expect(fake.calls).toHaveLength(3);
    expect(fake.calls[2]?.request.mustAnswer).toBe(true);
    expect(asked).toContainEqual(["long", expect.any(Number)]);
  });

  it("keeps what it has looked up when its answer goes back", async () => {
    const { ask, calls } = await asking(({ nth }) =>
      nth === 1 ? look({ path: "a" }) : nth === 2 ? { ...ANSWER, title: "x".repeat(30) } : ANSWER,
    );
    expect(await ask()).toEqual(ANSWER);
    expect(calls[2]?.request.earlier).toMatchObject([
      { results: [{ text: expect.stringMatching(/^content of a/) }] },
      { reply: expect.any(String) },
    ]);
  });

  it("shares what the run may look up with all others", async () => {
    const { tool, read } = reader();
    const fake = await openPrompts({ [PROMPT]: ({ nth }: FakeCall) => (nth % 2 === 1 ? look({ path: "a" }) : ANSWER) });
    const prompts = createPromptRunner(fake.library, fake.model, new AbortController().signal, undefined, undefined, {
      left: 1,
    });
    const ask = () => prompts.ask(PROMPT, inputs, Shape, undefined, { tools: [tool], turns: 3 });
    await ask();
    expect(fake.calls[1]?.request.mustAnswer).toBe(true);
    await ask();
    expect(read).toHaveLength(1);
  });
});
