import { describe, expect, it } from "@jest/globals";
import { anyCharacter } from "../../fakes/any-character.ts";
import { computingTime } from "../../fakes/computing-time.ts";
import { fc } from "../../seeded.ts";
import { settingsWorld } from "./settings-world.ts";

const bit = fc.constantFrom(
  ..."label: |ignore:|protect:|budget:|  money: 1|  |- |? |: |[|]|{|}|, |&a |*a|*.js|!t |'|\"|#|>|%YAML 1.1|---|...|\n|\t|\r\n|x|é|\0|<<: ".split(
    "|",
  ),
  "|\n",
);
const text = fc.array(bit, { maxLength: 40 }).map((bits) => bits.join(""));

describe("readDocument", () => {
  it("never throws, whatever the text; each fault has a line of the file and a sentence", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.string({ unit: anyCharacter })), async (file) => {
        for (const { line, message } of await settingsWorld({ ".github/magis.yml": file }).faults()) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(file.split(/\n|\r/).length);
          expect(message).toMatch(/\S.*[.?:]$/s);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["keys", Array.from({ length: 8000 }, (_, index) => `k${index}:`).join("\n")],
    ["tags", "!a ".repeat(21_000)],
    ["aliases", `a: &a x\nb: [${"*a,".repeat(20_000)}]`],
    ["aliases without an anchor", `b: [${"*a,".repeat(20_000)}]`],
    ["brackets", "[".repeat(60_000)],
    ["dashes", "- ".repeat(30_000)],
    ["question marks", "? ".repeat(30_000)],
    ["colons", "a: ".repeat(20_000)],
    ["nested keys", Array.from({ length: 350 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")],
    ["one string", `a: "${"x\\n".repeat(20_000)}"`],
  ])("reads 64 KiB of %s quickly", async (_name, file) => {
    const start = computingTime();
    await settingsWorld({ ".github/magis.yml": file }).faults();
    expect(computingTime() - start).toBeLessThan(10_000);
  });
});
