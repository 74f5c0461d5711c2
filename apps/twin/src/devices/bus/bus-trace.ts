import { toHex } from '@isotherm/codecs/bytes/hex'
import {
  type CjtAddress,
  type CjtTarget,
  EVERY_METER,
  encodeCjtHeatReply,
  encodeCjtRead,
  type HeatDisplay,
  toCjtAddress,
} from '@isotherm/codecs/cjt188/encode'
import type { RawFrame } from '@isotherm/contract/mqtt'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Shown } from '../../faults/distort.ts'

/** The settlement register of a simulated meter is its energy rounded down to this, kWh. */
const SETTLED_KWH = 1000
/** Real meters use Beijing time. */
const ZONE_MS = 8 * HOUR_MS

/** Instant of a bus frame: `ts` by the concentrator's clock, Unix ms; `simTimeS` in simulated seconds. */
export interface BusInstant {
  readonly ts: number
  readonly simTimeS: number
}

/** Bus address of a meter: the last 14 digits of its serial. */
export const toBusAddress = (serial: string): CjtAddress =>
  toCjtAddress(serial.replaceAll(/\D/g, '').slice(-14).padStart(14, '0')) ?? EVERY_METER

/** Converts a meter's shown values to its registers. */
function toDisplay(shown: Shown, { ts, simTimeS }: BusInstant): HeatDisplay {
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
    zoneMs: ZONE_MS,
    status: 0,
  }
}

/** A meter's reply to a request for its current data. */
export const toCurrentData = (target: CjtTarget, shown: Shown, at: BusInstant): Uint8Array =>
  encodeCjtHeatReply(target, toDisplay(shown, at))

/**
 * Bus frames of one read of a heat meter by the concentrator: the request, and the reply unless the meter is silent.
 */
export function traceRead(serial: string, shown: Shown | undefined, at: BusInstant): RawFrame[] {
  const { ts } = at
  const target = { address: toBusAddress(serial), sequence: Math.floor(ts / 1000) & 0xff }
  return [
    { id: serial, ts, dir: 'tx', hex: toHex(encodeCjtRead(target)) },
    ...(shown === undefined ? [] : [{ id: serial, ts, hex: toHex(toCurrentData(target, shown, at)) }]),
  ]
}
