import { Ajv2020 } from "ajv/dist/2020.js";

/** Why `value`, named `name`, does not fit a JSON Schema; undefined when it does. */
export function schemaFault(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(schema);
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: name });
}
