import type { RawFrame } from '@isotherm/contract/mqtt'
import type { Shown } from '../faults/distort.ts'
import { toHex, toReadReply, toReadRequest } from './cjt188-frame.ts'

/** Settlement is at the beginning of the season, when registers of made-up meters were last whole thousands. */
const SETTLED_KWH = 1000

/** The number by which a meter is read: the last fourteen digits of its serial. */
const toAddress = (serial: string): string => serial.replaceAll(/\D/g, '').slice(-14).padStart(14, '0')

/**
 * What is said on the bus when a heat meter is read at an instant of the concentrator's clock: the request and, if the
 * meter shows anything, its reply.
 */
export function traceRead(
  serial: string,
  shown: Shown | undefined,
  at: { readonly ts: number; readonly simTimeS: number },
): RawFrame[] {
  const { ts, simTimeS } = at
  const address = toAddress(serial)
  const sequence = Math.floor(ts / 1000) & 0xff
  const request: RawFrame = { id: serial, ts, dir: 'tx', hex: toHex(toReadRequest(address, sequence)) }
  if (shown === undefined) return [request]
  const energyKwh = shown['heat.energy'] ?? 0
  const reply = toReadReply({
    address,
    sequence,
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
  })
  return [request, { id: serial, ts, hex: toHex(reply) }]
}
