import { DELIMITER, FLUSH, pktLine } from "./pkt-line.ts";

/** The bodies that ask for one commit at depth 1, in either protocol. */
export interface FetchRequests {
  readonly v2: Buffer;
  readonly v1: Buffer;
}

/**
 * @param commit the wanted commit, 40 hex digits
 * @param blobLimit leave out blobs of more bytes than this
 * Format: gitprotocol-v2 "fetch" and gitprotocol-pack "Packfile Negotiation".
 */
export function fetchRequests(commit: string, blobLimit?: number): FetchRequests {
  const filter = blobLimit === undefined ? [] : [pktLine(`filter blob:limit=${blobLimit}\n`)];
  const want = pktLine(`want ${commit}\n`);
  const capabilities = `side-band-64k ofs-delta no-progress agent=git/magis${filter.length > 0 ? " filter" : ""}`;
  const deepen = pktLine("deepen 1\n");
  const done = pktLine("done\n");
  const v2Head = [pktLine("command=fetch\n"), pktLine("agent=git/magis\n"), pktLine("object-format=sha1\n"), DELIMITER];
  const v2Options = [pktLine("no-progress\n"), pktLine("ofs-delta\n"), deepen, ...filter, want, done, FLUSH];
  return {
    v2: Buffer.concat([...v2Head, ...v2Options]),
    v1: Buffer.concat([pktLine(`want ${commit} ${capabilities}\n`), deepen, ...filter, FLUSH, done]),
  };
}
