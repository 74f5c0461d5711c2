import { toHex } from '../bytes/hex.ts'
import { type FixedData, readFixedData } from './fixed-data.ts'
import type { MbusFrame } from './frame.ts'
import {
  LONG_HEADER,
  type MbusIdentity,
  type MbusState,
  readIdentity,
  readState,
  SHORT_HEADER,
} from './header.ts'
import { type MbusRecords, readRecords } from './records.ts'
import { readSecondaryAddress, type SecondaryAddress } from './secondary-address.ts'

/** Meaning of a frame's application layer (EN 13757-3). */
export type MbusData =
  /** Acknowledgement or a frame that has no application layer. */
  | { readonly kind: 'link-only' }
  /** Variable data. `identity` is missing in telegrams with a short header, `state` in those without a header. */
  | ({
      readonly kind: 'telegram'
      readonly identity?: MbusIdentity
      readonly state?: MbusState
      readonly highFirst: boolean
    } & MbusRecords)
  /** Encrypted by the mode in the configuration; the product has no keys. */
  | {
      readonly kind: 'encrypted'
      readonly identity?: MbusIdentity
      readonly state: MbusState
      readonly mode: number
    }
  | ({ readonly kind: 'fixed' } & FixedData)
  /** Error report of the device (CI 70). */
  | { readonly kind: 'device-error'; readonly code: number | undefined; readonly name: string }
  | { readonly kind: 'alarm'; readonly code: number }
  | { readonly kind: 'select'; readonly address: SecondaryAddress }
  | { readonly kind: 'reset'; readonly subcode: number | undefined }
  | { readonly kind: 'baud-rate'; readonly baud: number }
  | { readonly kind: 'synchronise' }
  /** Another CI field; the bytes are not interpreted. */
  | { readonly kind: 'unsupported'; readonly ci: number; readonly hex: string }
  /** Refused: too short for its header, or a record is cut or not allowed. `records` before the problem are whole. */
  | ({ readonly kind: 'damaged'; readonly identity?: MbusIdentity; readonly state?: MbusState } & MbusRecords)

/** Names of the errors of CI 70 (EN 13757-3, table 21). */
const deviceErrors: Readonly<Record<number, string>> = {
  0: 'unspecified',
  1: 'unimplemented-ci',
  2: 'buffer-too-long',
  3: 'too-many-records',
  4: 'premature-end-of-record',
  5: 'too-many-difes',
  6: 'too-many-vifes',
  7: 'reserved',
  8: 'application-busy',
  9: 'too-many-readouts',
}

const bauds = [300, 600, 1200, 2400, 4800, 9600, 19200, 38400]

const damagedHeader: MbusData = {
  kind: 'damaged',
  records: [],
  manufacturerData: undefined,
  moreFollows: false,
  problem: { reason: 'truncated', at: 0 },
}

/** Encryption modes with AES; other values in the configuration are signatures of older meters. */
const isEncryption = (mode: number): boolean => mode === 5 || mode === 7 || mode === 13
/** Two of these are the first bytes of decrypted data (EN 13757-7). */
const DECRYPTED = 0x2f

/**
 * Whether the data is encrypted. The configuration decides: every tenth ciphertext happens to be a row of valid records. Without
 * encrypted blocks in it, which are sixteen bytes each, the data must be faulty too.
 */
function isEncrypted(configuration: number, data: Uint8Array, header: number, isFaulty: boolean): boolean {
  const isOpen = data[header] === DECRYPTED && data[header + 1] === DECRYPTED
  const blocks = (configuration & 0xf0) >> 4
  return isEncryption((configuration >> 8) & 0x1f) && !isOpen && (blocks > 0 || isFaulty)
}

function readTelegram(data: Uint8Array, header: 0 | 4 | 12, highFirst: boolean, isCommand = false): MbusData {
  if (data.length < header) return damagedHeader
  const identity = header === LONG_HEADER ? { identity: readIdentity(data, highFirst) } : {}
  const state = header === 0 ? undefined : readState(data, header - SHORT_HEADER, highFirst)
  const read = readRecords(data, header, highFirst, isCommand)
  if (state !== undefined && isEncrypted(state.configuration, data, header, read.problem !== undefined)) {
    return { kind: 'encrypted', ...identity, state, mode: (state.configuration >> 8) & 0x1f }
  }
  const known = state === undefined ? identity : { ...identity, state }
  if (read.problem !== undefined) return { kind: 'damaged', ...known, ...read }
  return { kind: 'telegram', ...known, ...read, highFirst }
}

function readFixed(data: Uint8Array, highFirst: boolean): MbusData {
  const fixed = readFixedData(data, highFirst)
  return fixed === undefined ? damagedHeader : { kind: 'fixed', ...fixed }
}

/** Reads the application layer of a frame. Bit 2 of the older CI fields is the mode: the high byte first. */
export function decodeMbus(frame: MbusFrame): MbusData {
  if (frame.kind === 'ack' || frame.kind === 'short') return { kind: 'link-only' }
  const { ci, data } = frame
  switch (ci) {
    case 0x72:
      return readTelegram(data, LONG_HEADER, false)
    case 0x76:
      return readTelegram(data, LONG_HEADER, true)
    case 0x7a:
      return readTelegram(data, SHORT_HEADER, false)
    case 0x78:
      return readTelegram(data, 0, false)
    case 0x51:
      return readTelegram(data, 0, false, true)
    case 0x55:
      return readTelegram(data, 0, true, true)
    case 0x73:
      return readFixed(data, false)
    case 0x77:
      return readFixed(data, true)
    case 0x70:
      return { kind: 'device-error', code: data[0], name: deviceErrors[data[0] ?? 0] ?? 'reserved' }
    case 0x71:
      return { kind: 'alarm', code: data[0] ?? 0 }
    case 0x50:
      return { kind: 'reset', subcode: data[0] }
    case 0x54:
      return { kind: 'synchronise' }
    case 0x52:
    case 0x56: {
      const address = readSecondaryAddress(data, ci === 0x56)
      return address === undefined ? damagedHeader : { kind: 'select', address }
    }
    default: {
      const baud = bauds[ci - 0xb8]
      return baud === undefined ? { kind: 'unsupported', ci, hex: toHex(data) } : { kind: 'baud-rate', baud }
    }
  }
}
