import { z } from "zod";

/** The values allowed for a setting given as text: in the environment and on the command line. */
export interface TextKind<Value> {
  /**
   * The error for a wrong text: a sentence without its subject. It never repeats the value, because people paste keys
   * into the wrong line.
   */
  rule: string;
  /** reads a trimmed text; undefined when it is wrong */
  fromText: (text: string) => Value | undefined;
}

/** The values allowed for a setting, wherever it is given. */
export interface Kind<Value> extends TextKind<Value> {
  /** for a value from the repository's file; its messages are sentences without a subject */
  schema: z.ZodType<Value>;
}

/** `read` turns a text into a value that `schema` then checks; undefined when it stands for no value. */
function kind<Value>(schema: z.ZodType<Value>, rule: string, read: (text: string) => unknown): Kind<Value> {
  return { schema, rule, fromText: (text) => schema.safeParse(read(text)).data };
}

/** A whole number from `min` to `max`, in decimal digits only. */
export function wholeNumber(min: number, max: number): Kind<number> {
  const rule = `must be a whole number from ${min} to ${max}.`;
  const schema = z.int({ error: rule }).min(min, { error: rule }).max(max, { error: rule });
  return kind(schema, rule, (text) => (/^\d{1,16}$/.test(text) ? Number(text) : undefined));
}

/** A decimal number above zero and not above `max`; errors name its `unit`. */
export function positiveNumber(unit: string, max: number): Kind<number> {
  const rule = `must be a number of ${unit} above 0 and not above ${max}.`;
  const schema = z.number({ error: rule }).positive({ error: rule }).max(max, { error: rule });
  return kind(schema, rule, (text) => (/^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined));
}

/** `true` or `false`; a text may be in any case. */
export function truth(): Kind<boolean> {
  const rule = "must be true or false.";
  const values: ReadonlyMap<string, boolean> = new Map([
    ["true", true],
    ["false", false],
  ]);
  return kind(z.boolean({ error: rule }), rule, (text) => values.get(text.toLowerCase()));
}

/** One of a few names; a text may be in any case. */
export function oneOf<const Name extends string>(...names: readonly [Name, ...Name[]]): Kind<Name> {
  const error = `must be one of ${names.map((name) => `\`${name}\``).join(", ")}.`;
  return kind(z.enum(names, { error }), `must be one of ${names.join(", ")}.`, (text) => text.toLowerCase());
}

/**
 * A text that matches `form`. `inFile` is added to the error for the repository's file, whose syntax may need a hint.
 */
export function textMatching(rule: string, form: RegExp, inFile = ""): Kind<string> {
  const error = inFile === "" ? rule : `${rule.replace(/\.$/, "")}, ${inFile}.`;
  return kind(z.string({ error }).regex(form, { error }), rule, (text) => text);
}

const MAX_ITEMS = 100;

/** A list of at most 100 items, separated by commas or blanks in a text; `items` is their name in errors. */
export function listOf(item: Kind<string>, items: string): Kind<readonly string[]> {
  const error = `must be a list of at most ${MAX_ITEMS} ${items}, each on a line of its own after a dash.`;
  const schema = z.array(item.schema, { error }).max(MAX_ITEMS, { error });
  const rule = `must be a list of ${items} separated by commas.`;
  return kind(schema, rule, (text) => text.split(/[\s,]+/).filter((part) => part !== ""));
}

/** Any text, unchecked. */
export function anyText(rule: string): TextKind<string> {
  return { rule, fromText: (text) => text };
}

/**
 * A URL with one of `protocols` (`http:`, …), as written but without a slash at its end. It needs no host: PostgreSQL's
 * may name a socket instead, and `http:` without one does not parse.
 */
export function address(...protocols: readonly string[]): TextKind<string> {
  return {
    rule: `must be a whole address that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}.`,
    fromText(text) {
      const known = protocols.some((protocol) => text.startsWith(`${protocol}//`));
      return known && URL.canParse(text) ? text.replace(/(?<!\/)\/+$/, "") : undefined;
    },
  };
}

/** US dollars per million tokens. */
interface GivenPrice {
  input: number;
  output: number;
  cacheRead?: number;
}

/** Prices by model name: `model=input/output` or `model=input/output/cached`, separated by commas. */
export function modelPrices(): TextKind<ReadonlyMap<string, GivenPrice>> {
  return {
    rule: "must be a list like model=4/20,other=0.1/0.5 (US dollars per million tokens, input/output, or input/output/cached input).",
    fromText(text) {
      const prices = new Map<string, GivenPrice>();
      for (const entry of text.split(",").filter((part) => part.trim() !== "")) {
        const found = /^([^\s=,]+)\s*=([\d./\s]+)$/.exec(entry.trim());
        const [model = "", amounts = ""] = found?.slice(1) ?? [];
        const [input = "", output = "", cached, ...more] = amounts.split("/").map((amount) => amount.trim());
        if (more.length > 0 || ![input, output, cached ?? "0"].every((one) => /^\d+(\.\d+)?$/.test(one)))
          return undefined;
        const price = { input: Number(input), output: Number(output) };
        prices.set(model, cached === undefined ? price : { ...price, cacheRead: Number(cached) });
      }
      return prices;
    },
  };
}
