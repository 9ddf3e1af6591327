import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormatsModule from "ajv-formats";
import { toJsonSchema } from "./to-json-schema.ts";

export interface Schemas {
  /** Checks `value` against the schema at `pointer`; gives one line per fault. */
  faults(pointer: string, value: unknown): string[];
}

/**
 * Compiles the schemas of a description at first use. It does not check `uri`, since GitHub's own addresses are
 * templates. Shared schemas are compiled once, without optimising: a test uses each only a few times, and compiling
 * took most of the contract's time.
 */
export function compileSchemas(description: object, lax: boolean): Schemas {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    logger: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  addFormatsModule.default(ajv, ["date-time", "date"]);
  for (const name of ["uri", "uri-template", "email", "repo.nwo", "timestamp", "int64", "int32", "binary"])
    ajv.addFormat(name, true);
  ajv.addSchema(toJsonSchema(description, lax) as object, "description");
  const compiled = new Map<string, ValidateFunction>();
  return {
    faults(pointer, value) {
      let validate = compiled.get(pointer);
      if (validate === undefined) {
        validate = ajv.compile({ $ref: `description#${pointer}` });
        compiled.set(pointer, validate);
      }
      return validate(value) ? [] : [...new Set((validate.errors ?? []).map(line))];
    },
  };
}

function line({ instancePath, message, params, keyword }: ErrorObject): string {
  const place = instancePath.replace(/\/\d+(?=\/|$)/g, "/*");
  if (keyword === "required") return `${place}/${String(params.missingProperty)} is missing`;
  if (keyword === "additionalProperties") return `${place}/${String(params.additionalProperty)} is unknown`;
  return `${place || "/"} ${message ?? keyword}`;
}
