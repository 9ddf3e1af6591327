/** System call numbers, by Node's names for processors. */
interface Machine {
  /** AUDIT_ARCH_… */
  readonly audit: number;
  readonly socket: number;
  readonly shmget: number;
  readonly refused: readonly number[];
  /** the first number of another set of calls (x32), if there is one */
  readonly end?: number;
}

/**
 * Refused are calls that no build or test needs and namespaces confine badly: session keys (add_key, request_key,
 * keyctl), programs in the kernel (bpf, perf_event_open, userfaultfd, io_uring_*), files by handle (open_by_handle_at),
 * the kernel's log and modules. Numbers: the kernel's `unistd.h` of each processor.
 */
const MACHINES: Readonly<Partial<Record<string, Machine>>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    shmget: 29,
    refused: [103, 175, 176, 246, 248, 249, 250, 298, 304, 313, 320, 321, 323, 425, 426, 427],
    end: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    shmget: 194,
    refused: [104, 105, 106, 116, 217, 218, 219, 241, 265, 273, 280, 282, 294, 425, 426, 427],
  },
};

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK, which the network namespace confines; AF_VSOCK it does not. */
const FAMILIES = [1, 2, 10, 16];

/**
 * Bytes of a System V memory segment. One that no process maps lives on unseen. There are 4,096 at most; PostgreSQL
 * needs one of 56 bytes.
 */
const LARGEST_SEGMENT = 64 * 1024;

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_ABOVE = 0x25;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets of the call's number, the processor, and arguments (lower half, then upper). */
const NUMBER = 0;
const PROCESSOR = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;
const UPPER = 4;

/**
 * A seccomp filter for `bwrap --seccomp`; undefined for an unknown processor. All 32-bit calls are refused: their
 * numbers mean something else.
 */
export function seccompFilter(processor: string): Uint8Array | undefined {
  const machine = MACHINES[processor];
  if (machine === undefined) return undefined;
  const { audit, socket, shmget, refused, end } = machine;
  const unknown = [[RETURN, 0, 0, FAIL | ENOSYS]];
  const program = [
    [LOAD, 0, 0, PROCESSOR],
    [JUMP_EQUAL, 1, 0, audit],
    ...unknown,
    [LOAD, 0, 0, NUMBER],
    ...(end === undefined ? [] : [[JUMP_AT_LEAST, 0, 1, end], ...unknown]),
    ...refused.flatMap((call) => [
      [JUMP_EQUAL, 0, 1, call],
      [RETURN, 0, 0, FAIL | EPERM],
    ]),
    [JUMP_EQUAL, 0, 6, shmget],
    [LOAD, 0, 0, SECOND_ARGUMENT + UPPER],
    [JUMP_EQUAL, 0, 2, 0],
    [LOAD, 0, 0, SECOND_ARGUMENT],
    [JUMP_ABOVE, 0, 1, LARGEST_SEGMENT],
    [RETURN, 0, 0, FAIL | EPERM],
    [RETURN, 0, 0, ALLOW],
    [JUMP_EQUAL, 1, 0, socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    ...FAMILIES.flatMap((family) => [
      [JUMP_EQUAL, 0, 1, family],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, FAIL | EAFNOSUPPORT],
  ];
  return assembled(program);
}

/** struct sock_filter: a code of 16 bits, two jumps of 8, a value of 32. */
function assembled(program: readonly (readonly number[])[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code = 0, then = 0, otherwise = 0, value = 0]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(then, index * 8 + 2);
    bytes.writeUInt8(otherwise, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
