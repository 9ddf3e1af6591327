import { environmentSchema } from "./environment-schema.ts";

/** What is wrong with a variable, as a sentence that begins with its name. Holds no value. */
export function describeFault(name: string, message: string): string {
  if (message !== "is missing.") return `${name} ${message}`;
  const shape = environmentSchema.shape[name as keyof typeof environmentSchema.shape];
  return `${name} is missing: set it. ${shape?.description ?? ""}`.trim();
}
