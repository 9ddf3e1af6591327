import { fromText } from "./from-text.ts";

/** `true` or `false`, in any case. */
export function truth() {
  return fromText("must be true or false.", (text) => {
    const word = text.toLowerCase();
    return word === "true" || word === "false" ? word === "true" : undefined;
  });
}
