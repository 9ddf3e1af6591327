import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { Deployment } from "kubernetes-models/apps/v1";
import { Service } from "kubernetes-models/v1";
import { parse, parseAllDocuments } from "yaml";
import { environmentSchema } from "../../src/settings/environment/schema.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const isHere = (program: string) => spawnSync(program, ["--version"]).status === 0;
const known = new Set([...Object.keys(environmentSchema.shape), "NODE_ENV"]);

describe("compose.yaml", () => {
  const { services } = parse(read("compose.yaml"));

  it("builds the checkout, and runs it for this machine only, with nothing writable but its volume and /tmp", () => {
    // With the name of an image, docker would ask a registry first.
    expect(services.magis).not.toHaveProperty("image");
    expect(services.magis).toMatchObject({
      build: ".",
      read_only: true,
      tmpfs: ["/tmp"],
      volumes: ["data:/data"],
      cap_drop: ["ALL"],
      ports: ["127.0.0.1:3000:3000"],
    });
    for (const name of Object.keys(services.magis.environment)) expect(known).toContain(name);
  });

  const withCompose = isHere("docker-compose") ? it : it.skip;
  withCompose("is understood by docker-compose", () => {
    const folder = mkdtempSync(join(tmpdir(), "magis-compose-"));
    copyFileSync(new URL("compose.yaml", root), join(folder, "compose.yaml"));
    writeFileSync(join(folder, ".env"), "POSTGRES_PASSWORD=made-up\nAPP_ID=1\n");
    const { status, stderr, stdout } = spawnSync("docker-compose", ["--file", "compose.yaml", "config"], {
      cwd: folder,
    });
    rmSync(folder, { recursive: true });
    expect({ status, stderr: stderr.toString() }).toMatchObject({ status: 0 });
    expect(parse(stdout.toString()).services.magis.environment).toMatchObject({
      APP_ID: "1",
      DATABASE_URL: "postgresql://magis:made-up@database:5432/magis",
    });
  });
});

describe("deploy/kubernetes.yaml", () => {
  const [deployment, service] = parseAllDocuments(read("deploy/kubernetes.yaml")).map((one) => one.toJS());

  it("matches Kubernetes' own schemas", () => {
    expect(() => new Deployment(deployment).validate()).not.toThrow();
    expect(() => new Service(service).validate()).not.toThrow();
    const wrong = { ...deployment, spec: { ...deployment.spec, replicas: "two" } };
    expect(() => new Deployment(wrong).validate()).toThrow();
  });

  it("probes the program's own paths, and lets it write to /data and /tmp only", () => {
    const [container] = deployment.spec.template.spec.containers;
    expect(container).toMatchObject({
      // RFC 2606: nobody owns this name, so nothing is pulled before the operator names a registry.
      image: expect.stringMatching(/^registry\.example\//),
      ports: [{ name: "http", containerPort: 3000 }],
      livenessProbe: { httpGet: { path: "/healthz" } },
      readinessProbe: { httpGet: { path: "/readyz" } },
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    });
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(["/data", "/tmp"]);
    expect(deployment.spec.template.spec.securityContext.runAsNonRoot).toBe(true);
    expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels);
  });
});

describe("deploy/magis.service", () => {
  const withSystemd = isHere("systemd-analyze") ? it : it.skip;
  withSystemd("passes systemd-analyze", () => {
    const unit = fileURLToPath(new URL("deploy/magis.service", root));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit]);
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
  });

  it("sets only variables that the program knows, and leaves it time to stop", () => {
    const unit = read("deploy/magis.service");
    const names = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, all = ""]) =>
      all.split(" ").map((pair) => pair.split("=")[0]),
    );
    const credentials = [...unit.matchAll(/^LoadCredential=([A-Z_]+):\/etc\/magis\/credentials\/\1$/gm)];
    expect(credentials).toHaveLength(3);
    for (const name of [...names, ...credentials.map(([, one]) => one)]) expect(known).toContain(name);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10);
  });
});
