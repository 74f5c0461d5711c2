import type { RawFrame } from '@isotherm/contract/mqtt'
import type { Shown } from '../../faults/distort.ts'
import {
  CURRENT_DATA,
  type MeterDisplay,
  type ReplyHead,
  toHex,
  toReadReply,
  toReadRequest,
} from './cjt188-frame.ts'

/** The settlement register of a simulated meter is its energy rounded down to this, kWh. */
const SETTLED_KWH = 1000

/** Instant of a bus frame: `ts` by the concentrator's clock, Unix ms; `simTimeS` in simulated seconds. */
export interface BusInstant {
  readonly ts: number
  readonly simTimeS: number
}

/** Bus address of a meter: the last 14 digits of its serial. */
export const toBusAddress = (serial: string): string =>
  serial.replaceAll(/\D/g, '').slice(-14).padStart(14, '0')

/** Converts a meter's shown values to its registers. */
function toDisplay(shown: Shown, { ts, simTimeS }: BusInstant): MeterDisplay {
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

/** A meter's reply to a request for its current data. */
export const toCurrentData = (head: ReplyHead, shown: Shown, at: BusInstant): Uint8Array =>
  toReadReply(head, toDisplay(shown, at))

/**
 * Bus frames of one read of a heat meter by the concentrator: the request, and the reply unless the meter is silent.
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
