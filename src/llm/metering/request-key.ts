import { createHash } from "node:crypto";
import type { ModelRequest } from "../../ports/language-model.ts";

/**
 * SHA-256 (hex) of the whole request, whatever the order of its keys. The same request has the same key in every process,
 * with an image's bytes in hand or without: its hash stands for them.
 */
export function requestKey(request: ModelRequest): string {
  const parts = request.parts.map((part) =>
    part.images ? { ...part, images: part.images.map(({ mediaType, hash }) => ({ mediaType, hash })) } : part,
  );
  return createHash("sha256")
    .update(canonical({ ...request, parts }))
    .digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}
