import { z } from "zod";

/*
 * Shapes of data that other versions have written or will read. The input of each is what this version has to write; its
 * output is what can be read of any version: what is missing or of another type is empty or absent, nothing is refused.
 */

/** Says what has to be written for a schema, which itself takes anything. */
const writing = <In, Out>(shape: z.ZodType<Out>) => shape as z.ZodType<Out, In>;

export const text = writing<string, string>(z.string().catch(""));

export const number = writing<number, number>(z.number().catch(0));

export const truth = writing<boolean, boolean>(z.boolean().catch(false));

/** One of the words `T` when it is written; when it is read, any word. */
export const word = <T extends string>() => writing<T, string>(text);

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
  writing<readonly z.input<T>[], readonly z.output<T>[]>(
    z
      .array(z.unknown())
      .catch([])
      .transform((items) => items.flatMap((item) => fitting(shape, item))),
  );

function fitting<T extends z.ZodType>(shape: T, item: unknown): z.output<T>[] {
  const read = shape.safeParse(item);
  return read.success ? [read.data] : [];
}

/** An object of these fields; fields that are absent are left out. */
export const object = <T extends z.ZodRawShape>(fields: T) =>
  writing<z.input<z.ZodObject<T>>, z.output<z.ZodObject<T>>>(z.object(fields).transform(withoutAbsent));

function withoutAbsent<T extends object>(read: T): T {
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as T;
}

/** An object that is empty where it is missing: all its fields as they are read of nothing. */
export const filled = <T extends z.ZodType>(shape: T) =>
  writing<z.input<T>, z.output<T>>(
    z
      .unknown()
      .optional()
      .transform((value) => shape.safeParse(value).data ?? shape.parse({})),
  );

/** Values by their names; what is no text is left out. */
export const texts = writing<Readonly<Record<string, string>>, Record<string, string>>(
  z
    .record(z.string(), z.unknown())
    .catch({})
    .transform((read) =>
      Object.fromEntries(
        Object.entries(read).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
      ),
    ),
);

/** What `fits`, which is plain data; `otherwise` in its place. */
export const plain = <T>(fits: (value: unknown) => value is T, otherwise: T) =>
  writing<T, T>(z.custom<T>((value) => fits(value)).catch(otherwise));
