import type { FieldValue } from '../bytes/field-value.ts'
import { toHex } from '../bytes/hex.ts'

/** Orders of identifier A017. `open` and `close` are of the standard; the others are extensions of makers. */
export const valveOrders = {
  query: 0x00,
  open: 0x55,
  'free-open': 0x66,
  'free-close': 0x77,
  close: 0x99,
} as const
export type ValveOrder = keyof typeof valveOrders

const orderNames = new Map<number, string>(Object.entries(valveOrders).map(([name, code]) => [code, name]))

/** The order of a code as a field; a code without a known order as bytes. */
export function toValveOrderField(code: number): FieldValue {
  const name = orderNames.get(code)
  return name === undefined
    ? { kind: 'bytes', hex: toHex(Uint8Array.of(code)) }
    : { kind: 'code', code: name }
}

export type ValveState = 'open' | 'closed' | 'undefined' | 'fault'
const states: readonly ValveState[] = ['open', 'closed', 'undefined', 'fault']

/** State of the valve in the lowest two bits of the first status byte. A meter without a valve reports it as open. */
export const toValveState = (status: number): ValveState => states[status & 3] ?? 'undefined'
