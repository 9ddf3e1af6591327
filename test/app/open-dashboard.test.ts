import { describe, expect, it } from "@jest/globals";
import pg from "pg";
import { pino } from "pino";
import { createPageOf, openDashboard, withPages } from "../../src/app/open-dashboard.ts";

const log = pino({ level: "silent" });

describe("opening the dashboard", () => {
  const open = (publicUrl: string) =>
    openDashboard(
      {
        dashboard: { mode: "github", port: 0, operators: [], clientId: "Iv1", clientSecret: "secret", publicUrl },
        limits: {},
        github: { apiUrl: "https://api.github.com", webUrl: "https://github.com" },
      } as unknown as Parameters<typeof openDashboard>[0],
      // Connects when somebody asks for a page.
      { pool: new pg.Pool(), log },
    );

  it.each(["http://magis.example.com", "http://localhost.example.com", "http://10.0.0.1:3000"])(
    "refuses %s, over which browsers would send no session",
    async (publicUrl) => {
      await expect(open(publicUrl)).rejects.toMatchObject({
        code: "CONFIGURATION_INVALID",
        message: expect.stringContaining("MAGIS_URL must begin with https://"),
      });
    },
  );

  it.each(["https://magis.example.com", "http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])(
    "takes %s",
    async (publicUrl) => {
      expect((await open(publicUrl))?.listener).toBeInstanceOf(Function);
    },
  );
});

describe("the address of a run's page", () => {
  const start = { id: "acme/shop#7@d" } as never;
  const dashboard = { mode: "github", port: 0, operators: [], publicUrl: "https://magis.example.com" } as const;

  it("goes with a run that people can look at, and nothing else that is decided", async () => {
    const page = "https://magis.example.com/dashboard/runs/acme%2Fshop%237%40d";
    expect(await withPages(async () => ({ start }), createPageOf(dashboard))({} as never)).toMatchObject({
      start: { page },
    });
    const wake = { wake: { repository: {}, issue: 7 } } as never;
    expect(await withPages(async () => wake, createPageOf(dashboard))({} as never)).toBe(wake);
    const onLoopback = { ...dashboard, mode: "loopback" } as const;
    expect(await withPages(async () => ({ start }), createPageOf(onLoopback))({} as never)).toEqual({ start });
  });
});
