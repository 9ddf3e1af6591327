function doubled<T extends Int32Array | Uint8Array>(array: T, length: number): T {
  const larger = (array instanceof Uint8Array ? new Uint8Array(length) : new Int32Array(length)) as T;
  larger.set(array);
  return larger;
}

/** A hash table from words, as bytes, to numbers from 0: no string is made for a word that is known. */
export function createInterner() {
  let slots = new Int32Array(1 << 16);
  let hashes = new Int32Array(1 << 15);
  let offsets = new Int32Array((1 << 15) + 1);
  let arena = new Uint8Array(1 << 20);
  let size = 0;

  function rehash(): void {
    hashes = doubled(hashes, slots.length);
    offsets = doubled(offsets, slots.length + 1);
    slots = new Int32Array(slots.length * 2);
    for (let id = 0; id < size; id++) {
      let free = (hashes[id] as number) & (slots.length - 1);
      while (slots[free] !== 0) free = (free + 1) & (slots.length - 1);
      slots[free] = id + 1;
    }
  }

  function insert(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = size++;
    slots[slot] = size;
    hashes[id] = hash;
    let at = offsets[id] as number;
    if (at + end - start > arena.length) arena = doubled(arena, arena.length * 2);
    for (let i = start; i < end; i++) arena[at++] = bytes[i] as number;
    offsets[size] = at;
    if (size * 2 === slots.length) rehash();
    return id;
  }

  return {
    size: () => size,
    name: (id: number) => Buffer.from(arena.subarray(offsets[id], offsets[id + 1])).toString(),
    intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
      const mask = slots.length - 1;
      let slot = hash & mask;
      for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
        const offset = offsets[found - 1] as number;
        if (hashes[found - 1] === hash && (offsets[found] as number) - offset === end - start) {
          let i = start;
          while (i < end && arena[offset + i - start] === bytes[i]) i++;
          if (i === end) return found - 1;
        }
        slot = (slot + 1) & mask;
      }
      return insert(bytes, start, end, hash, slot);
    },
  };
}
