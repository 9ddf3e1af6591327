import { describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { createDeathWatch } from "../../src/engine/machines.ts";

describe("dead machines", () => {
  it("are those whose heartbeat stops while another machine watches, whatever times it wrote", async () => {
    let now = 5_000;
    const seen = new Map([
      ["alive", "2026-01-01"],
      ["dead", "2036-01-01"],
    ]);
    const query = async () => ({ rows: [...seen].map(([id, at]) => ({ id, seen: at })) });
    const findDead = createDeathWatch({ query } as unknown as Pool, "self", 30_000, () => now);
    expect(await findDead()).toEqual([]);
    for (const at of ["2026-01-02", "1999-01-01", "2026-01-03"]) {
      now += 12_000;
      seen.set("alive", at);
      expect(await findDead()).toEqual(at === "2026-01-03" ? ["dead"] : []);
    }
    seen.set("dead", "1970-01-01");
    expect(await findDead()).toEqual([]);
  });
});
