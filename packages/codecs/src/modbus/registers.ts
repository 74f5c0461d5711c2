/** Types of numbers in registers. */
export const registerTypes = ['u16', 'i16', 'u32', 'i32', 'f32', 'u64', 'i64', 'f64'] as const
export type RegisterType = (typeof registerTypes)[number]
/** Orders in which the bytes of a number are sent. A is its highest byte. */
export const byteOrders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
export type ByteOrder = (typeof byteOrders)[number]

/** Registers that a type occupies. */
export const registerCounts: Readonly<Record<RegisterType, 1 | 2 | 4>> = {
  u16: 1,
  i16: 1,
  u32: 2,
  i32: 2,
  f32: 2,
  u64: 4,
  i64: 4,
  f64: 4,
}

const swapBytes = (word: number): number => ((word & 0xff) << 8) | ((word >> 8) & 0xff)

/**
 * The bytes of one number from the highest. Reused for every number, because a poll has hundreds of thousands of
 * them.
 */
const scratch = new DataView(new ArrayBuffer(8))

/**
 * Writes the registers of a number into `scratch`. CDAB has the lowest register first, BADC swapped bytes, DCBA both.
 */
function arrange(registers: readonly number[], at: number, count: number, order: ByteOrder): void {
  const isLowFirst = order === 'CDAB' || order === 'DCBA'
  const isSwapped = order === 'BADC' || order === 'DCBA'
  for (let index = 0; index < count; index++) {
    const register = registers[isLowFirst ? at + count - 1 - index : at + index] ?? 0
    scratch.setUint16(2 * index, isSwapped ? swapBytes(register) : register)
  }
}

/**
 * The number in registers from `at` on. Undefined if there are too few registers, or if it is infinite or NaN. A 64-bit
 * integer beyond 2^53 is rounded to the nearest float.
 */
export function readRegisters(
  registers: readonly number[],
  at: number,
  type: RegisterType,
  order: ByteOrder = 'ABCD',
): number | undefined {
  const count = registerCounts[type]
  if (at < 0 || at + count > registers.length) return undefined
  arrange(registers, at, count, order)
  const value = readScratch(type)
  return Number.isFinite(value) ? value : undefined
}

function readScratch(type: RegisterType): number {
  switch (type) {
    case 'u16':
      return scratch.getUint16(0)
    case 'i16':
      return scratch.getInt16(0)
    case 'u32':
      return scratch.getUint32(0)
    case 'i32':
      return scratch.getInt32(0)
    case 'f32':
      return scratch.getFloat32(0)
    case 'u64':
      return Number(scratch.getBigUint64(0))
    case 'i64':
      return Number(scratch.getBigInt64(0))
    case 'f64':
      return scratch.getFloat64(0)
  }
}

/** Largest and smallest whole number of the integer types that registers hold without rounding. */
const bounds: Readonly<Partial<Record<RegisterType, readonly [min: number, max: number]>>> = {
  u16: [0, 0xffff],
  i16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
  u64: [0, Number.MAX_SAFE_INTEGER],
  i64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

/** Registers of a number; undefined if the type cannot hold it. Integers are rounded. */
export function toRegisters(
  value: number,
  type: RegisterType,
  order: ByteOrder = 'ABCD',
): number[] | undefined {
  const bound = bounds[type]
  const whole = bound === undefined ? value : Math.round(value)
  if (!Number.isFinite(value) || (bound !== undefined && (whole < bound[0] || whole > bound[1])))
    return undefined
  const count = registerCounts[type]
  writers[type](scratch, whole)
  const words = Array.from({ length: count }, (_, index) => scratch.getUint16(2 * index))
  // Each order is its own inverse.
  arrange(words, 0, count, order)
  return words.map((_, index) => scratch.getUint16(2 * index))
}

const writers: Readonly<Record<RegisterType, (view: DataView, value: number) => void>> = {
  u16: (view, value) => view.setUint16(0, value),
  i16: (view, value) => view.setInt16(0, value),
  u32: (view, value) => view.setUint32(0, value),
  i32: (view, value) => view.setInt32(0, value),
  f32: (view, value) => view.setFloat32(0, value),
  u64: (view, value) => view.setBigUint64(0, BigInt(value)),
  i64: (view, value) => view.setBigInt64(0, BigInt(value)),
  f64: (view, value) => view.setFloat64(0, value),
}
