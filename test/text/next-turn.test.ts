import { expect, it } from "@jest/globals";
import { nextTurn } from "../../src/text/next-turn.ts";

it("lets one of many computations go on in each turn of the event loop, the longest waiting first", async () => {
  const seen: string[] = [];
  const compute = async (name: string) => {
    for (let part = 1; part <= 3; part++) {
      await nextTurn();
      seen.push(`${name}${part}`);
    }
  };
  const work = Promise.all(["a", "b", "c"].map(compute));
  let before = 0;
  let isOver = false;
  const look = () => {
    expect(seen.length - before).toBeLessThanOrEqual(1);
    before = seen.length;
    if (!isOver) setImmediate(look);
  };
  look();
  await work;
  isOver = true;
  expect(seen).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
});
