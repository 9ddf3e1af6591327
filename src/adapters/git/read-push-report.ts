import { createPktLineParser } from "./pkt-line-parser.ts";

/** What the server says of a push. */
export interface PushReport {
  /** "ok", or what went wrong with the pack; undefined when the server did not say */
  readonly unpack: string | undefined;
  /** why the ref was not updated; undefined when it was */
  readonly refusal: string | undefined;
  readonly updated: boolean;
  /** what hooks and rules printed */
  readonly messages: string;
}

/** Colours and other control characters do not belong into a message. */
function readable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const plain = text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, "").replace(/[\u0000-\u001f\u007f]+/g, " ");
  return plain.replace(/ {2,}/g, " ").trim().slice(0, 1000);
}

/** Reads the answer to a push of one ref. Format: gitprotocol-pack "Report Status", inside side-band-64k or bare. */
export function readPushReport(bytes: Buffer): PushReport {
  const report: Buffer[] = [];
  const messages: string[] = [];
  for (const packet of createPktLineParser().feed(bytes)) {
    if (typeof packet === "string") continue;
    if (packet[0] === 1) report.push(packet.subarray(1));
    else if (packet[0] === 2 || packet[0] === 3) messages.push(packet.toString("utf8", 1));
  }
  // A server without side bands sends the report's lines as they are.
  const lines = [...createPktLineParser().feed(report.length > 0 ? Buffer.concat(report) : bytes)].map((packet) =>
    typeof packet === "string" ? "" : packet.toString("utf8").trim(),
  );
  const unpack = lines.find((line) => line.startsWith("unpack "))?.slice(7);
  const refused = lines.find((line) => line.startsWith("ng "));
  const refusal =
    refused === undefined ? undefined : readable(refused.split(" ").slice(2).join(" ")) || "no reason given";
  return {
    unpack,
    refusal,
    updated: lines.some((line) => line.startsWith("ok ")),
    messages: readable(messages.join("")),
  };
}
