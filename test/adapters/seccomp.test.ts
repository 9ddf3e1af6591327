import { describe, expect, it } from "@jest/globals";
import { seccompFilter } from "../../src/adapters/seccomp.ts";

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** What the kernel does with a filter: this much of its machine is all that ours use. */
function answer(
  filter: Uint8Array,
  call: { readonly audit: number; readonly number: number; readonly argument?: number; readonly second?: bigint },
) {
  const program = Buffer.from(filter);
  const data = new Map([
    [0, call.number],
    [4, call.audit],
    [16, call.argument ?? 0],
    [24, Number((call.second ?? 0n) & 0xffffffffn)],
    [28, Number((call.second ?? 0n) >> 32n)],
  ]);
  let loaded = 0;
  for (let at = 0; at < program.length; at += 8) {
    const [code, value] = [program.readUInt16LE(at), program.readUInt32LE(at + 4)];
    const jump = (holds: boolean) => {
      at += 8 * program.readUInt8(at + (holds ? 2 : 3));
    };
    if (code === 0x20) loaded = data.get(value) ?? Number.NaN;
    else if (code === 0x15) jump(loaded === value);
    else if (code === 0x25) jump(loaded > value);
    else if (code === 0x35) jump(loaded >= value);
    else if (code === 0x06) return value === 0x7fff0000 ? "allowed" : value & 0xffff;
    else throw new Error(`no code ${code}`);
  }
  throw new Error("the filter does not end");
}

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];

describe.each(["x64", "arm64"] as const)("the system call filter on %s", (processor) => {
  const filter = seccompFilter(processor) as Uint8Array;
  const audit = AUDIT[processor];
  const numbers = {
    x64: {
      shmget: 29,
      read: 0,
      execve: 59,
      socket: 41,
      bpf: 321,
      keyctl: 250,
      userfaultfd: 323,
      openByHandle: 304,
      perf: 298,
    },
    arm64: {
      shmget: 194,
      read: 63,
      execve: 221,
      socket: 198,
      bpf: 280,
      keyctl: 219,
      userfaultfd: 282,
      openByHandle: 265,
      perf: 241,
    },
  }[processor];

  it("lets programs work", () => {
    for (const number of [numbers.read, numbers.execve]) expect(answer(filter, { audit, number })).toBe("allowed");
  });

  it("refuses calls that no namespace confines", () => {
    const { bpf, keyctl, userfaultfd, openByHandle, perf } = numbers;
    for (const number of [bpf, keyctl, userfaultfd, openByHandle, perf, 425, 426, 427])
      expect(answer(filter, { audit, number })).toBe(EPERM);
  });

  it("allows only sockets of the namespace", () => {
    const made = (argument: number) => answer(filter, { audit, number: numbers.socket, argument });
    expect([1, 2, 10, 16].map(made)).toEqual(["allowed", "allowed", "allowed", "allowed"]);
    expect([0, 17, 38, 40, 44].map(made)).toEqual(Array(5).fill(EAFNOSUPPORT));
  });

  it("allows only small System V memory segments", () => {
    const made = (second: bigint) => answer(filter, { audit, number: numbers.shmget, second });
    expect([0n, 56n, 65_536n].map(made)).toEqual(Array(3).fill("allowed"));
    expect([65_537n, 2n ** 31n, 2n ** 32n, 2n ** 32n + 1n].map(made)).toEqual(Array(4).fill(EPERM));
  });

  it("refuses calls of another processor's form, whatever their numbers", () => {
    const others = [0x40000003, audit === AUDIT.x64 ? AUDIT.arm64 : AUDIT.x64];
    for (const other of others) expect(answer(filter, { audit: other, number: numbers.read })).toBe(ENOSYS);
  });
});

it("does not exist for unknown processors", () => {
  expect(seccompFilter("riscv64")).toBeUndefined();
});

it("refuses the second set of calls on x64", () => {
  expect(answer(seccompFilter("x64") as Uint8Array, { audit: AUDIT.x64, number: 0x40000000 })).toBe(ENOSYS);
});
