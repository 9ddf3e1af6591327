/** FNV-1a over `bytes[start, end)`, the hash `ByteTable.intern` expects; who scans bytes computes it on the way. */
export function fnv1a(bytes: Uint8Array, start: number, end: number): number {
  let hash = -2128831035;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 16777619);
  return hash;
}
