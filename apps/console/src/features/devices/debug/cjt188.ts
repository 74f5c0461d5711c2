/** Meaning of a CJ/T 188 frame. Values of a heat meter's current data (identifier 901F), if it has them. */
export interface MeterFrame {
  /** The meter's number on the bus, 14 digits. */
  readonly address: string
  /** `other`: a function that is not read here. */
  readonly function: 'read' | 'read-address' | 'other'
  readonly isReply: boolean
  /** The meter refused the request. */
  readonly isRefused: boolean
  readonly isSumRight: boolean
  readonly values: MeterValues | undefined
}

export interface MeterValues {
  readonly energyKwh: number
  readonly powerKw: number
  readonly flowM3h: number
  readonly volumeM3: number
  readonly supplyC: number
  readonly returnC: number
  readonly hoursH: number
}

const [START, END] = [0x68, 0x16]
const [READ, READ_ADDRESS] = [0x01, 0x03]
/** Bits of the control byte: a reply, and a refusal. The lower bits are the function. */
const [REPLY, REFUSED, FUNCTION] = [0x80, 0x40, 0x3f]
/** Start, type, seven bytes of address, control, length; and sum and end. */
const [HEAD, TAIL] = [11, 2]
/** Identifier and sequence before the values of a reply, and the length of the values up to the operating hours. */
const [PREFIX, LAYOUT] = [3, 34]

/** Energy units of the standard by their code, kWh. */
const energyUnits: Readonly<Record<number, number>> = {
  2: 0.001,
  5: 1,
  8: 1_000,
  14: 1 / 3.6,
  17: 1_000 / 3.6,
}
/** Power units by their code, kW. */
const powerUnits: Readonly<Record<number, number>> = { 20: 0.001, 23: 1, 26: 1_000 }

const toDigits = (bytes: readonly number[]): string =>
  [...bytes]
    .reverse()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** A number in binary-coded decimals, lowest pair of digits first; NaN if a digit is none. */
const toNumber = (bytes: readonly number[], decimals: number): number => {
  const digits = toDigits(bytes)
  return /^\d+$/.test(digits) ? Number(digits) / 10 ** decimals : Number.NaN
}

/** Values in the layout of CJ/T 188-2004: each quantity with its unit behind it, temperatures and hours without. */
function readValues(data: readonly number[]): MeterValues | undefined {
  if (data.length < LAYOUT) return undefined
  const at = (start: number, length: number) => data.slice(start, start + length)
  // The values start with the energy of the settlement day, which is five bytes long.
  const energy = at(5, 4)
  return {
    energyKwh: toNumber(energy, 2) * (energyUnits[data[9] ?? 0] ?? Number.NaN),
    powerKw: toNumber(at(10, 4), 2) * (powerUnits[data[14] ?? 0] ?? Number.NaN),
    flowM3h: toNumber(at(15, 4), 4),
    volumeM3: toNumber(at(20, 4), 2),
    supplyC: toNumber(at(25, 3), 2),
    returnC: toNumber(at(28, 3), 2),
    hoursH: toNumber(at(31, 3), 0),
  }
}

/** The meaning of a frame; undefined if it is no frame of CJ/T 188. Bytes FE before the start wake the bus. */
export function readMeterFrame(hex: string): MeterFrame | undefined {
  const all = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  const bytes = all.slice(all.findIndex((byte) => byte !== 0xfe))
  const length = bytes[10] ?? 0
  if (bytes[0] !== START || bytes.length !== HEAD + length + TAIL || bytes.at(-1) !== END) return undefined
  const control = bytes[9] ?? 0
  const sum = bytes.slice(0, -TAIL).reduce((total, byte) => (total + byte) & 0xff, 0)
  const code = control & FUNCTION
  const [isReply, isRefused] = [(control & REPLY) !== 0, (control & REFUSED) !== 0]
  const data = bytes.slice(HEAD + PREFIX, -TAIL)
  return {
    address: toDigits(bytes.slice(2, 9)),
    function: code === READ ? 'read' : code === READ_ADDRESS ? 'read-address' : 'other',
    isReply,
    isRefused,
    isSumRight: sum === bytes.at(-2),
    values: isReply && !isRefused && code === READ ? readValues(data) : undefined,
  }
}
