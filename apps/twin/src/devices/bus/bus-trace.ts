import type { RawFrame } from '@isotherm/contract/mqtt'
import type { Shown } from '../../faults/distort.ts'
import {
  CURRENT_DATA,
  type MeterShowing,
  type ReplyHead,
  toHex,
  toReadReply,
  toReadRequest,
} from './cjt188-frame.ts'

/** Settlement is at the beginning of the season, when registers of made-up meters were last whole thousands. */
const SETTLED_KWH = 1000

/** When something is said on the bus: by the concentrator's clock, Unix ms, and in simulated seconds. */
export interface BusInstant {
  readonly ts: number
  readonly simTimeS: number
}

/** The number by which a meter is read: the last fourteen digits of its serial. */
export const toBusAddress = (serial: string): string =>
  serial.replaceAll(/\D/g, '').slice(-14).padStart(14, '0')

/** What a meter shows, as its registers have it. */
function toShowing(shown: Shown, { ts, simTimeS }: BusInstant): MeterShowing {
  const energyKwh = shown['heat.energy'] ?? 0
  return {
    settlementKwh: Math.floor(energyKwh / SETTLED_KWH) * SETTLED_KWH,
    energyKwh,
    powerKw: shown['heat.power'] ?? 0,
    flowM3h: shown['heat.flow'] ?? 0,
    volumeM3: shown['heat.volume'] ?? 0,
    supplyTempC: shown['temp.supply'] ?? 0,
    returnTempC: shown['temp.return'] ?? 0,
    hours: Math.floor(simTimeS / 3600),
    clockMs: ts,
    status: 0,
  }
}

/** A meter's reply to who reads its current data. */
export const toCurrentData = (head: ReplyHead, shown: Shown, at: BusInstant): Uint8Array =>
  toReadReply(head, toShowing(shown, at))

/**
 * What is said on the bus when the concentrator reads a heat meter: the request and, if the meter shows anything, its
 * reply.
 */
export function traceRead(serial: string, shown: Shown | undefined, at: BusInstant): RawFrame[] {
  const { ts } = at
  const head = {
    address: toBusAddress(serial),
    identifier: CURRENT_DATA,
    sequence: Math.floor(ts / 1000) & 0xff,
  }
  const request = toReadRequest(head.address, head.sequence)
  return [
    { id: serial, ts, dir: 'tx', hex: toHex(request) },
    ...(shown === undefined ? [] : [{ id: serial, ts, hex: toHex(toCurrentData(head, shown, at)) }]),
  ]
}
