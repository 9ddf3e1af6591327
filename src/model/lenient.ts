import { z } from "zod";

/*
 * Shapes of data that other versions have written or will read. The input of each is what this version has to write; its
 * output is what can be read of any version: what is missing or of another type is empty or absent, nothing is refused.
 */

export const text = z.string().catch("") as unknown as z.ZodType<string, string>;

export const number = z.number().catch(0) as unknown as z.ZodType<number, number>;

export const truth = z.boolean().catch(false) as unknown as z.ZodType<boolean, boolean>;

/** One of the words `T` when it is written; when it is read, any word. */
export const word = <T extends string>() => text as unknown as z.ZodType<string, T>;

/** May be absent when it is written, and when it is read. */
export const maybe = <T extends z.ZodType>(shape: T) =>
  shape.optional().catch(undefined) as unknown as z.ZodExactOptional<T>;

/** Has to be written; may be absent when it is read. */
export const sought = <T extends z.ZodType>(shape: T) => maybe(shape) as unknown as Sought<T>;

type Sought<T extends z.ZodType> = z.ZodType<
  z.output<T>,
  z.input<T>,
  z.core.$ZodTypeInternals<z.output<T>, z.input<T>> & { optout: "optional" }
>;

/** The elements that fit. */
export const list = <T extends z.ZodType>(shape: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((item) => {
        const read = shape.safeParse(item);
        return read.success ? [read.data] : [];
      }),
    ) as unknown as z.ZodType<readonly z.output<T>[], readonly z.input<T>[]>;

/** An object of these fields; fields that are absent are left out. */
export const object = <T extends z.ZodRawShape>(fields: T) =>
  z
    .object(fields)
    .transform((read) =>
      Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)),
    ) as unknown as z.ZodType<z.output<z.ZodObject<T>>, z.input<z.ZodObject<T>>>;

/** An object that is empty where it is missing: all its fields as they are read of nothing. */
export const filled = <T extends z.ZodType>(shape: T) =>
  z
    .unknown()
    .optional()
    .transform((value) => shape.safeParse(value).data ?? shape.parse({})) as unknown as z.ZodType<
    z.output<T>,
    z.input<T>
  >;

/** Values by their names; what is no text is left out. */
export const texts = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((read) =>
    Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === "string")),
  ) as unknown as z.ZodType<Record<string, string>, Readonly<Record<string, string>>>;
