import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { environmentSchema } from "../src/settings/environment/schema.ts";
import { listen } from "../src/webhooks/server/start-server.ts";
import { imageVariables, parseStages, shipped } from "./deploy/parse-dockerfile.ts";

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

const stages = parseStages();
const final = stages.at(-1) ?? [];
const environment = imageVariables();

describe("the Dockerfile", () => {
  it("builds in stages on one image of Node 24, pinned by its digest", () => {
    expect(stages.length).toBeGreaterThan(1);
    const images = new Set(stages.map(([from]) => from?.rest.split(" ")[0]));
    expect([...images]).toEqual([expect.stringMatching(/^node:24\.[\d.]+-[a-z]+-slim@sha256:[0-9a-f]{64}$/)]);
    expect(stages[0]?.map(({ rest }) => rest)).toContain("npm run build");
  });

  it("ships production dependencies only, and no source", () => {
    const copied = shipped("COPY").find((rest) => rest.includes("node_modules"));
    const stage = stages.find(([from]) => from?.rest.endsWith(` AS ${/--from=(\w+)/.exec(copied ?? "")?.[1]}`));
    const installs = stage?.filter(({ word, rest }) => word === "RUN" && rest.startsWith("npm ci"));
    expect(installs).toEqual([expect.objectContaining({ rest: expect.stringContaining("--omit=dev") })]);
    expect(shipped("RUN").some((rest) => rest.includes("npm"))).toBe(false);
    expect(shipped("COPY").some((rest) => /\bsrc\b|^\. /.test(rest))).toBe(false);
  });

  it("holds the build, the pages, the prompts and package.json, which declares ES modules", () => {
    expect(shipped("COPY").join("\n")).toMatch(/\/app\/dist \.\/dist/);
    expect(shipped("COPY").join("\n")).toMatch(/pages \.\/pages/);
    expect(shipped("COPY").join("\n")).toMatch(/prompts \.\/prompts/);
    expect(shipped("COPY").join("\n")).toMatch(/package\.json/);
  });

  it("runs node itself, as a user without privileges who owns the data volume", () => {
    expect(shipped("CMD")).toEqual(['["node", "/app/dist/main.js"]']);
    expect(shipped("USER")).toEqual(["node"]);
    expect(shipped("VOLUME")).toEqual([environment.MAGIS_DATA_DIR]);
    // The pages that register the app write its keys where the process was started.
    expect(shipped("WORKDIR").at(-1)).toBe(environment.MAGIS_DATA_DIR);
    const words = final.map(({ word, rest }) =>
      word === "RUN" && rest.includes("chown node:node /data") ? "CHOWN" : word,
    );
    expect(words.indexOf("CHOWN")).toBeGreaterThan(0);
    expect(words.indexOf("CHOWN")).toBeLessThan(words.indexOf("VOLUME"));
  });

  it("listens on every address, with values that the configuration accepts", () => {
    expect(environment).toMatchObject({ HOST: "0.0.0.0", NODE_ENV: "production" });
    const { HOST, PORT, MAGIS_DATA_DIR } = environmentSchema.shape;
    for (const [name, shape] of Object.entries({ HOST, PORT, MAGIS_DATA_DIR })) {
      expect([name, shape.safeParse(environment[name]).success]).toEqual([name, true]);
    }
  });

  it("checks its health by /healthz on the configured port", async () => {
    const [check = ""] = shipped("HEALTHCHECK");
    const [program, ...words] = z.array(z.string()).parse(JSON.parse(check.slice(check.indexOf("["))));
    expect(program).toBe("node");
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/healthz" ? status : 404).end();
    });
    const port = await listen(server, "127.0.0.1", 0);
    const run = () =>
      new Promise((resolve) => {
        const options = { env: { ...process.env, PORT: String(port) } };
        execFile(process.execPath, words, options, (error) => resolve(error?.code ?? 0));
      });
    expect(await run()).toBe(0);
    status = 503;
    expect(await run()).toBe(1);
    await new Promise((resolve) => server.close(resolve));
    expect(await run()).toBe(1);
  });

  it("copies only files that exist and that .dockerignore allows", () => {
    const ignored = read(".dockerignore").split("\n");
    expect(ignored.find((line) => line !== "" && !line.startsWith("#"))).toBe("*");
    const copies = stages.flat().filter(({ word, rest }) => word === "COPY" && !rest.startsWith("--from"));
    for (const source of new Set(copies.flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1)))) {
      expect([source, ignored.includes(`!${source}`)]).toEqual([source, true]);
      expect([source, existsSync(new URL(source, root))]).toEqual([source, true]);
    }
  });
});
