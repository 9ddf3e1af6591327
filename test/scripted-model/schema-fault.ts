import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Compile each schema once and without optimising: scripts use the same ones for a few values. */
const OPTIONS = { strict: false, allErrors: true, validateFormats: false, code: { optimize: false } };

const errors = new Ajv2020(OPTIONS);
const compiled = new Map<string, ValidateFunction>();

/** Why `value`, named `name`, does not fit a JSON Schema; undefined when it does. */
export function schemaFault(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? new Ajv2020(OPTIONS).compile(schema);
  compiled.set(text, validate);
  return validate(value) ? undefined : errors.errorsText(validate.errors, { dataVar: name });
}
