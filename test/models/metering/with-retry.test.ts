import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { withRetry } from "../../../src/models/metering/metered-model.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { createPricedModel } from "./create-priced-model.ts";

const never = new AbortController().signal;
const broken = (cost: Record<string, unknown>) =>
  new MagisError("MODEL_UNAVAILABLE", "Broke off.", { ...cost, brokenOff: true });

describe("withRetry", () => {
  it("asks again after an answer that broke off, and counts all attempts", async () => {
    const { model, requests } = createPricedModel((_, n) => (n < 3 ? { fails: broken } : {}));
    const answer = await withRetry(model, 1).complete(scriptedRequest(), never);
    expect(requests).toHaveLength(3);
    const worst = model.worstCase(scriptedRequest());
    expect(answer.money).toBeCloseTo(3 * worst.money, 9);
    expect(answer.usage.input).toBe(3 * worst.tokens);
  });

  it("gives up after three attempts, with the cost of all", async () => {
    // The fourth would be answered, so that one attempt too many ends with an answer, not never.
    const { model, requests } = createPricedModel((_, n) => (n < 4 ? { fails: broken } : {}));
    const failure = await withRetry(model, 1)
      .complete(scriptedRequest(), never)
      .catch((error: MagisError) => error);
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect((failure as MagisError).data.money).toBeCloseTo(3 * model.worstCase(scriptedRequest()).money, 9);
    expect(requests).toHaveLength(3);
  });

  it("does not repeat any other failure", async () => {
    const rejected = new MagisError("MODEL_REJECTED", "Wrong key.");
    const { model, requests } = createPricedModel(() => ({ fails: () => rejected }));
    await expect(withRetry(model, 1).complete(scriptedRequest(), never)).rejects.toBe(rejected);
    expect(requests).toHaveLength(1);
  });

  it("stops waiting when it is cancelled, and reports the cost so far", async () => {
    const ending = new AbortController();
    const { model } = createPricedModel((_, n) => {
      if (n === 2) throw new Error("It asked again, though it was cancelled.");
      setTimeout(() => ending.abort(), 20);
      return { fails: broken };
    });
    const call = withRetry(model, 20_000).complete(scriptedRequest(), ending.signal);
    const money = model.worstCase(scriptedRequest()).money;
    await expect(call).rejects.toMatchObject({ code: "RUN_CANCELLED", data: { money } });
  });
});
