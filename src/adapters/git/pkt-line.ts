export const FLUSH: Buffer = Buffer.from("0000");
export const DELIMITER: Buffer = Buffer.from("0001");

/** One pkt-line: four hex digits of length, then the payload (gitprotocol-common). */
export function pktLine(payload: string | Uint8Array): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}
