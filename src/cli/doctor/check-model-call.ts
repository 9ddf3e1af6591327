import { z } from "zod";
import { askModel, type ModelAccess } from "./ask-model.ts";
import type { PricePair } from "./check-prices.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

const MAX_TOKENS = 16;
const shape = z.object({ usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }) });

/** One tiny call that is paid for, and what it cost; `price` is absent where none is known. */
export async function checkModelCall(
  access: ModelAccess,
  model: string,
  price: PricePair | undefined,
): Promise<Finding> {
  const { ok, fault } = findingsOf(`call of ${model}`);
  const messages = [{ role: "user", content: "Answer with the word ok." }];
  const reply = await askModel(access, "/v1/messages", { model, max_tokens: MAX_TOKENS, messages });
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data) {
    return fault(
      `The provider ${replyText(reply)}.`,
      "Check ANTHROPIC_API_KEY, the model's name and the account's credit.",
    );
  }
  const { input_tokens: input, output_tokens: output } = data.usage;
  const tokens = `${input} tokens in, ${output} out`;
  if (price === undefined) return ok(`It answered: ${tokens}.`);
  const money = (input * price.input + output * price.output) / 1e6;
  return ok(`It answered: ${tokens}, $${money.toFixed(6)}.`);
}
