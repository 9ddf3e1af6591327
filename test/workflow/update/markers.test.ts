import { describe, expect, it } from "@jest/globals";
import { fc } from "../../seeded.ts";
import { updating } from "./updating.ts";

const line = fc.constantFrom("a", "b", "c", "", "x = 1", "=======");

const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.map((one) => `${one}\n`).join(""));

/** What a model may write in place of a conflict, markers among it. */
const written = fc
  .array(fc.oneof(line, fc.constantFrom("<<<<<<< ours", "||||||| base", ">>>>>>> theirs", "<<<<<<<")), { maxLength: 6 })
  .map((lines) => lines.join("\n"));

const idsIn = (prompt: string) => [...prompt.matchAll(/^## (\d+) · /gm)].map(([, id = ""]) => id);

describe("an update", () => {
  it("never commits a conflict marker, whatever the sides hold and the model writes", async () => {
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(text, text, text, written, async (before, own, base, lines) => {
        const shop = await updating({
          files: { "c.txt": before },
          own: { "c.txt": own, "own.txt": "own\n" },
          base: { "c.txt": base, "base.txt": "base\n" },
          script: {
            "x01-resolve-conflicts": ({ text }) => ({
              hunks: idsIn(text).map((id) => ({ id, lines, left: ["a", "b", "c", "x = 1"] })),
            }),
            "x02-review-merge": ({ text }) => ({ hunks: idsIn(text).map((id) => ({ id, right: true })) }),
          },
        });
        await shop.run();
        if (shop.tip() === shop.head) return;
        merged += 1;
        expect(shop.parents()).toEqual([shop.head, shop.onBase]);
        for (const [path] of shop.state.objects.tree(shop.state.objects.commit(shop.tip()).tree))
          expect(shop.text(path)).not.toMatch(/^(?:<{7}|\|{7}|>{7})/m);
      }),
      { numRuns: 30 },
    );
    expect(merged).toBeGreaterThan(5);
  });
});
