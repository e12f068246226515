// A small assembler of WebAssembly modules (core specification 1.0, and memory.copy of 2.0): expressions and statements
// are lists of bytes, functions take and return 32-bit integers, and the module has one memory, which it exports.

/** Bytes of an instruction sequence. */
export type Code = readonly number[];

export const I32 = 0x7f;
export const I64 = 0x7e;

export interface Func {
  readonly name: string;
  /** Number of i32 parameters. */
  readonly params: number;
  /** Whether it returns an i32. */
  readonly returns: boolean;
  /** Further locals: so many i32, then so many i64. */
  readonly locals: readonly [number, number];
  readonly body: Code;
}

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    const low = value & 0x7f;
    value >>>= 7;
    bytes.push(value === 0 ? low : low | 0x80);
  } while (value !== 0);
  return bytes;
}

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (;;) {
    const low = Number(value & 0x7fn);
    value >>= 7n;
    if ((value === 0n && (low & 0x40) === 0) || (value === -1n && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

const binary =
  (opcode: number) =>
  (a: Code, b: Code): Code => [...a, ...b, opcode];

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const seq = (...parts: readonly Code[]): Code => parts.flat();

export const i32 = {
  of: (value: number): Code => [0x41, ...signed(BigInt(value))],
  load: (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    0x36,
    2,
    ...unsigned(offset),
  ],
  isZero: (a: Code): Code => [...a, 0x45],
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  shl: binary(0x74),
  shr: binary(0x76),
};

export const i64 = {
  of: (value: bigint): Code => [0x42, ...signed(value)],
  /** 32 bits from memory, as an unsigned 64-bit integer. */
  load32: (address: Code, offset = 0): Code => [...address, 0x35, 2, ...unsigned(offset)],
  store32: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    0x3e,
    2,
    ...unsigned(offset),
  ],
  add: binary(0x7c),
  mul: binary(0x7e),
  and: binary(0x83),
  shl: binary(0x86),
  shr: binary(0x88),
};

export const when = (condition: Code, then: Code): Code => [...condition, 0x04, 0x40, ...then, 0x0b];
/** Runs the body, then again as long as the condition is not zero. */
export const repeatWhile = (body: Code, condition: Code): Code => [
  ...[0x03, 0x40],
  ...body,
  ...condition,
  ...[0x0d, 0, 0x0b],
];
export const leave: Code = [0x0f];
export const copy = (to: Code, from: Code, length: number): Code => [
  ...to,
  ...from,
  ...i32.of(length),
  ...[0xfc, 0x0a, 0, 0],
];

/** Calls by name; the functions' order gives the indices. */
export const callOf =
  (names: readonly string[]) =>
  (name: string, ...args: readonly Code[]): Code => {
    const index = names.indexOf(name);
    if (index < 0) throw new Error(`no function ${name}`);
    return [...args.flat(), 0x10, ...unsigned(index)];
  };

const section = (id: number, items: readonly (readonly number[])[]): number[] => {
  const content = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(content.length), ...content];
};

const text = (name: string): number[] => [
  ...unsigned(name.length),
  ...[...name].map((letter) => letter.charCodeAt(0)),
];

/** The module's bytes. Every function and the memory (`memory`, of at least so many 64 KiB pages) are exported. */
export function assemble(functions: readonly Func[], pages: number): Uint8Array<ArrayBuffer> {
  const type = ({ params, returns }: Func): number[] => [
    0x60,
    ...unsigned(params),
    ...new Array<number>(params).fill(I32),
    ...(returns ? [1, I32] : [0]),
  ];
  const body = ({ locals, body: code }: Func): number[] => {
    const content = [2, ...unsigned(locals[0]), I32, ...unsigned(locals[1]), I64, ...code, 0x0b];
    return [...unsigned(content.length), ...content];
  };
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, functions.map(type)),
    ...section(
      3,
      functions.map((_, i) => unsigned(i)),
    ),
    ...section(5, [[0, ...unsigned(pages)]]),
    ...section(7, [
      [...text("memory"), 2, 0],
      ...functions.map(({ name }, i) => [...text(name), 0, ...unsigned(i)]),
    ]),
    ...section(10, functions.map(body)),
  ]);
}
