/** The `code` of a system or database error, else an empty string. By shape: tests run in a realm of their own. */
export function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
