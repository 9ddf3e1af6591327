import { isRecord } from "./is-record.ts";

/** Fields of each kind of block; a question mark makes one optional. */
const FIELDS: Readonly<Record<string, string>> = {
  text: "text cache_control? citations?",
  image: "source cache_control?",
  thinking: "thinking signature",
  redacted_thinking: "data",
  tool_use: "id name input cache_control? caller?",
  tool_result: "tool_use_id content? is_error? cache_control?",
};
const KINDS = {
  system: ["text"],
  user: ["text", "image", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
} as const;

/** The API's objections to the content of a turn or of the system prompt, as sentences that begin with `name`. */
export function checkContent(content: unknown, name: string, role: keyof typeof KINDS): string[] {
  if (typeof content === "string") return content === "" ? [`${name}: text must be non-empty`] : [];
  if (!Array.isArray(content)) return [`${name}: Field required`];
  if (content.length === 0) return [`${name}: at least one block is required`];
  return content.flatMap((block: unknown, at) => checkBlock(block, `${name}.${at}`, KINDS[role]));
}

function checkBlock(block: unknown, name: string, kinds: readonly string[]): string[] {
  const kind = isRecord(block) ? kinds.find((known) => known === block.type) : undefined;
  if (!isRecord(block) || kind === undefined) return [`${name}: only ${kinds.join(", ")} is known here`];
  const fields = (FIELDS[kind] ?? "").split(" ");
  const known = new Set(["type", ...fields.map((field) => field.replace("?", ""))]);
  const faults = [
    ...Object.keys(block)
      .filter((key) => !known.has(key))
      .map((key) => `${name}.${key}: Extra inputs are not permitted`),
    ...fields
      .filter((field) => !field.endsWith("?") && block[field] === undefined)
      .map((field) => `${name}.${field}: Field required`),
  ];
  for (const field of ["text", "thinking", "signature", "data", "id", "name", "tool_use_id"]) {
    if (block[field] !== undefined && typeof block[field] !== "string") {
      faults.push(`${name}.${field}: Input should be a valid string`);
    }
  }
  const control = block.cache_control ?? undefined;
  if (control !== undefined && !(isRecord(control) && control.type === "ephemeral")) {
    faults.push(`${name}.cache_control: Input should be 'ephemeral'`);
  }
  return [...faults, ...checkValues(block, name, kind)];
}

function checkValues(block: Record<string, unknown>, name: string, kind: string): string[] {
  const faults: string[] = [];
  if (kind === "text" && typeof block.text === "string" && block.text.trim() === "") {
    faults.push(`${name}: text content blocks must contain non-whitespace text`);
  }
  for (const field of ["id", "tool_use_id"]) {
    const id = block[field];
    if (typeof id === "string" && !/^[a-zA-Z0-9_-]+$/.test(id)) {
      faults.push(`${name}.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
  }
  if (kind === "tool_use" && !isRecord(block.input)) faults.push(`${name}.input: Input should be a valid dictionary`);
  if (kind === "tool_result" && block.content !== undefined && block.content !== "") {
    faults.push(...checkContent(block.content, `${name}.content`, "system"));
  }
  return faults;
}
