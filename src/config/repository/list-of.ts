import { z } from "zod";

const MAX_LENGTH = 100;

/** A list of at most 100 items. */
export function listOf<Item extends z.core.SomeType>(item: Item, rule: string) {
  return z.array(item, { error: rule }).max(MAX_LENGTH, { error: rule });
}
