/** An array of at least `length` places with the old content; itself when it is long enough. */
export function grown<T extends Uint8Array | Int32Array>(array: T, length: number): T {
  if (array.length >= length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(array.length * 2, length));
  larger.set(array);
  return larger;
}
