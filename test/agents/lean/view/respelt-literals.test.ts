import { describe, expect, it } from "@jest/globals";
import { respeltLiterals } from "../../../../src/agents/lean/view/respelt-literals.ts";
import { writeCode } from "../../../../src/agents/phases.ts";
import { anyCharacter } from "../../../fakes/any-character.ts";
import { fc } from "../../../seeded.ts";
import { openWorkshop } from "../../../workflow/open-workshop.ts";
import { planOf } from "../../../workflow/plan-of.ts";
import { codingTogether } from "../coding-together.ts";

const { task, change, edit } = codingTogether;
const issueOf = (body: string, title = "It fails", ...comments: readonly string[]) => ({
  title,
  body,
  discussion: comments.map((comment) => ({ author: "ann", body: comment })),
});

describe("literals of the issue that a change spells otherwise", () => {
  it.each([
    [
      "an event in kebab case",
      "With `@update:modelValue` it fails.",
      '+ emit("update:model-value")',
      [{ literal: "@update:modelValue", variant: "update:model-value" }],
    ],
    [
      "a key with underscores",
      'The key "maxRetries" is lost.',
      "+ max_retries = 1",
      [{ literal: "maxRetries", variant: "max_retries" }],
    ],
    [
      "an option of the example",
      "Run it:\n\n```sh\ntool --dry-run\n```\n",
      "+ dryRun: true",
      [{ literal: "--dry-run", variant: "dryRun" }],
    ],
  ])("are named with both spellings: %s", (_, body, added, respelt) => {
    expect(respeltLiterals(issueOf(body), added)).toEqual(respelt);
  });

  it("are those of a comment, too", () => {
    const issue = issueOf("It fails.", "It fails", "```\nrun --dry-run\n```");
    expect(respeltLiterals(issue, "+ dry_run")).toEqual([{ literal: "--dry-run", variant: "dry_run" }]);
  });

  it.each([
    ["a name that the change has", "`roundHalf` fails.", "+ roundHalf(1) || round_half"],
    ["a literal that only the first letter tells apart", "`Round` is wrong: `roundhalf`.", "+ round; Roundhalf"],
    ["a literal of which the change has a part alone", "`update:modelValue` fails.", "+ model_value"],
    ["words of prose", "'Default values' fail.", "+ default_values"],
    ["a name that the change does not resemble", "`somewhere` fails.", "+ a()"],
    ["a short one", "`a-b` fails.", "+ a_b"],
    ["an apostrophe", "It isn't what I'd want, don't you?", "+ isnt"],
    ["the bar of a table", "| form |\n| --- |\n| `svg\\|circle` |", "+ 'svg|circle'"],
    ["an escaped bar outside a table", "`sed 's/a/b/'` and `first\\|second` fail.", "+ 'first\\|second'"],
    ["the mark of a heredoc", "```\ncat <<'_EOT_'\n_EOT_\n```", "+ eot"],
  ])("are not %s", (_name, body, added) => {
    expect(respeltLiterals(issueOf(body), added)).toEqual([]);
  });

  it("are few, whatever the issue contains", async () => {
    await fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), fc.string({ maxLength: 200 }), (body, added) => {
        const many = `\`\`\`\n${body.repeat(40)}\n\`\`\`\n${"`a-b".repeat(2_000)}${'"'.repeat(5_000)}`;
        const respelt = respeltLiterals(issueOf(many), added);
        expect(respelt.length).toBeLessThanOrEqual(3);
        for (const { literal } of respelt) expect(literal.length).toBeLessThanOrEqual(60);
      }),
      { numRuns: 50 },
    );
  });
});

it("are named in the review, but not for the words of a document", async () => {
  const reviewOf = async (path: string) => {
    const shop = await openWorkshop({
      files: { [path]: "one();\n" },
      script: { "p09-change-file": change([edit(1, 1, "one('model-value');")]) },
    });
    const issue = { ...shop.tools.issue, body: "`modelValue` is lost." };
    await writeCode({ ...shop.tools, issue, plan: planOf([task("t1", path)]) });
    return shop.of("p11-review-work")[0]?.text;
  };
  expect(await reviewOf("b.js")).toContain("- `modelValue`, here `model-value`");
  expect(await reviewOf("CHANGES.md")).not.toContain("here `model-value`");
});
