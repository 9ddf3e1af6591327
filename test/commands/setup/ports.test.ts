import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { expect, it } from "@jest/globals";
import type { SetupOptions } from "../../../src/commands/setup/setup-flow.ts";
import { startSetup } from "../../../src/commands/setup/setup-server.ts";
import { startMagisHere } from "../start-magis.ts";

it("a port that another program has is named in a sentence", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const options = { world: { tell: () => undefined } } as unknown as SetupOptions;
  const started = startSetup(options, { host: "127.0.0.1", port });
  await expect(started).rejects.toThrow(`Port ${port} is in use by another program: choose another port.`);
  other.close();
});

it.each(["65536", "99999", "-1", "x"])("no port is %s", async (port) => {
  const ended = await startMagisHere(["setup", `--port=${port}`], { environment: {}, cwd: tmpdir() }).ended;
  expect(ended).toMatchObject({ exitCode: 2, err: expect.stringContaining("must be a port, 0 to 65535") });
});
