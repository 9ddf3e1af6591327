import { expect, it } from "@jest/globals";
import { markers } from "../../src/data/marks.ts";
import { keepSpending, spentOn, withSpending } from "../../src/report/issue-spending.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { commentOf } from "../webhooks/admission/admitting.ts";

const mark = (root: string, money: string, tokens: number) => `<!-- magis:spent ${root} ${money} ${tokens} -->\n`;

it("what was spent on an issue is read from the heads of the bot's own comments alone", async () => {
  const run = `${markers.run("r1")}\n`;
  const own = { author: "magis[bot]", byBot: true };
  const comments = [
    commentOf(1, `${run}${mark("r1", "1.5000", 10)}${mark("r2", "0.2500", 5)}Words.\n${mark("r3", "9.0000", 9)}`, own),
    commentOf(2, `${run}${mark("r1", "7.0000", 7)}`),
    commentOf(3, `No run's.\n${mark("r4", "8.0000", 8)}`, own),
  ];
  expect(await spentOn(createFakeHost({}, { comments }).host, 7)).toEqual({ money: 1.75, tokens: 15 });
});

it("each run's spending is kept once, with that of others, whatever is written later", async () => {
  const { host, state } = createFakeHost({});
  let money = 1;
  const writing = withSpending(host, "r1", () => ({ money, tokens: 10 }));
  const { id } = await writing.createComment(7, `${markers.run("r1")}\nIt works.`);
  await keepSpending(host, 7, "r2", { money: 0.5, tokens: 5 });
  money = 2;
  await writing.updateComment(id, state.comments[0]?.body ?? "");
  await keepSpending(host, 7, "r2", { money: 0.75, tokens: 6 });
  await keepSpending(host, 7, "r3", { money: 0, tokens: 0 });
  expect(await spentOn(host, 7)).toEqual({ money: 2.75, tokens: 16 });
  expect(state.comments).toHaveLength(1);
  expect(state.comments[0]?.body).toMatch(/^<!-- magis:run r1 -->\n(?:<!-- magis:spent r\d .* -->\n){2}\n?It works\.$/);
});
