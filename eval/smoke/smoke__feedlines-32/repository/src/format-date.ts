/** The day, or the day and the minute, of an ISO 8601 date. */
export function formatDate(published: string, format: "day" | "minute"): string {
  return format === "day" ? published.slice(0, 10) : published.slice(0, 16).replace("T", " ");
}
