import type { EvolutionMemory, RememberedVersion } from "../../src/run/evolution-memory.ts";

/** An evolution memory of one repository, in a map. */
export function createMapMemory(): EvolutionMemory {
  const byBlob = new Map<string, RememberedVersion>();
  const byPath = new Map<string, RememberedVersion>();
  return {
    recall: async (_, path, blob) => byBlob.get(blob) ?? byPath.get(path),
    async update(_, version) {
      byBlob.set(version.blob, version);
      byPath.set(version.path, version);
    },
    async forget() {
      const count = byBlob.size;
      byBlob.clear();
      byPath.clear();
      return count;
    },
  };
}
