/** What a system call is answered with. */
const ALLOW = 0x7fff0000
const REFUSE = 0x00050000
const NOT_PERMITTED = 1
const NO_SUCH_CALL = 38

/** Where the kernel puts what a filter looks at. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const IF_ANY_BIT = 0x45
const RETURN = 0x06

/** All namespaces that `clone` can make. */
const NEW_NAMESPACE = 0x7e020000
/** Numbers from here on are a second door to the same calls (x32). */
const SECOND_DOOR = 0x40000000

interface Machine {
  readonly architecture: number
  readonly clone: number
  readonly refused: { readonly [call: string]: number }
}

/** The calls of the common table, which arm64 and riscv64 share. */
const common = {
  open_by_handle_at: 265,
  setns: 268,
  unshare: 97,
  mount: 40,
  umount2: 39,
  pivot_root: 41,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  perf_event_open: 241,
  bpf: 280,
  userfaultfd: 282,
  kexec_load: 104,
}

/** Above 423 a call has the same number on all machines. */
const newer = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsmount: 432,
  mount_setattr: 442,
}

const machines: { readonly [name: string]: Machine } = {
  arm64: { architecture: 0xc00000b7, clone: 220, refused: { ...common, ...newer } },
  riscv64: { architecture: 0xc00000f3, clone: 220, refused: { ...common, ...newer } },
  x64: {
    architecture: 0xc000003e,
    clone: 56,
    refused: {
      open_by_handle_at: 304,
      setns: 308,
      unshare: 272,
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      perf_event_open: 298,
      bpf: 321,
      userfaultfd: 323,
      kexec_load: 246,
      ...newer,
    },
  },
}

/** `clone3` keeps its flags where no filter can look; programs that are told there is none take `clone`. */
const CLONE3 = 435

/**
 * The filter of system calls for a sandbox, as the kernel reads it (classic BPF): no keyrings, which no namespace
 * separates, no further namespaces, no mounts, and none of the calls that nothing ordinary needs and whose bugs were ways
 * out. `undefined` for a machine whose numbers are not known here.
 *
 * @example
 * systemCallFilter('arm64')?.length // 8 bytes for each instruction
 */
export function systemCallFilter(machine: string): Buffer | undefined {
  const known = machines[machine]
  if (!known) return undefined
  const refuse = REFUSE | NOT_PERMITTED
  const unknown = REFUSE | NO_SUCH_CALL
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, known.architecture],
    [RETURN, 0, 0, unknown],
    [LOAD, 0, 0, NUMBER],
    [IF_AT_LEAST, 0, 1, SECOND_DOOR],
    [RETURN, 0, 0, unknown],
    [IF_EQUAL, 0, 1, CLONE3],
    [RETURN, 0, 0, unknown],
    ...Object.values(known.refused).flatMap((number): Instruction[] => [
      [IF_EQUAL, 0, 1, number],
      [RETURN, 0, 0, refuse],
    ]),
    [IF_EQUAL, 0, 3, known.clone],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [IF_ANY_BIT, 0, 1, NEW_NAMESPACE],
    [RETURN, 0, 0, refuse],
    [RETURN, 0, 0, ALLOW],
  ]
  return Buffer.concat(program.map(bytesOf))
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

function bytesOf([code, ifTrue, ifFalse, operand]: Instruction): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(operand >>> 0, 4)
  return bytes
}
