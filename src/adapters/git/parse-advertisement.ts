import { createPktLineParser } from "./pkt-line-parser.ts";

/** What a server says of itself: its refs (none in protocol v2, which lists them on demand) and its capabilities. */
export interface Advertisement {
  readonly version: 1 | 2;
  /** full ref name → id */
  readonly refs: ReadonlyMap<string, string>;
  /** full ref name of an annotated tag → id of what it is put on */
  readonly peeled: ReadonlyMap<string, string>;
  /** "fetch=shallow filter" is the entry "fetch" → "shallow filter" */
  readonly capabilities: ReadonlyMap<string, string>;
}

function addCapability(to: Map<string, string>, text: string): void {
  const at = text.indexOf("=");
  if (at < 0) to.set(text, "");
  else to.set(text.slice(0, at), text.slice(at + 1));
}

/**
 * Reads the answer to `GET /info/refs?service=…`. Undefined when it is no git advertisement.
 * Format: gitprotocol-http "Smart Server Response" and gitprotocol-v2 "Capability Advertisement".
 */
export function parseAdvertisement(bytes: Buffer): Advertisement | undefined {
  const refs = new Map<string, string>();
  const peeled = new Map<string, string>();
  const capabilities = new Map<string, string>();
  let version: 1 | 2 = 1;
  let lines = 0;
  try {
    for (const packet of createPktLineParser().feed(bytes)) {
      if (typeof packet === "string") continue;
      const line = packet.toString("utf8").replace(/\n$/, "");
      lines++;
      if (line.startsWith("# service=") || line === "version 1") continue;
      if (line === "version 2") version = 2;
      else if (version === 2) addCapability(capabilities, line);
      else {
        const [ref = "", list = ""] = line.split("\0");
        for (const text of list.split(" ").filter(Boolean)) addCapability(capabilities, text);
        if (!/^[0-9a-f]{40} ./.test(ref)) return undefined;
        if (ref.endsWith("^{}")) peeled.set(ref.slice(41, -3), ref.slice(0, 40));
        else refs.set(ref.slice(41), ref.slice(0, 40));
      }
    }
  } catch {
    return undefined;
  }
  return lines > 0 ? { version, refs, peeled, capabilities } : undefined;
}
