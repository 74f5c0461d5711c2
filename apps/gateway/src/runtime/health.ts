import type { ChildReading } from '@isotherm/contract/mqtt'
import type { Line } from '../field/line.ts'
import type { Outbox } from '../store/outbox.ts'

/** State of a gateway. */
export interface Health {
  readonly lines: number
  readonly openLines: number
  readonly devices: number
  /** Devices that do not answer. */
  readonly silentDevices: number
  /** Last answer of any device, Unix ms. */
  readonly answeredAt: number | undefined
  /** Readings that the server has not acknowledged. */
  readonly queued: number
  /** Readings that were dropped because the store was full, since the store exists. */
  readonly dropped: number
  /** Whether the newest configuration is refused; the former one is in use. */
  readonly isRefused: boolean
}

export function toHealth(
  lines: readonly Line[],
  outbox: Pick<Outbox, 'size' | 'dropped'>,
  isRefused: boolean,
): Health {
  const states = lines.map((line) => line.state())
  const answers = states.flatMap(({ answeredAt }) => answeredAt ?? [])
  return {
    lines: states.length,
    openLines: states.filter(({ isOpen }) => isOpen).length,
    devices: states.reduce((sum, { devices }) => sum + devices, 0),
    silentDevices: states.reduce((sum, { silent }) => sum + silent, 0),
    answeredAt: answers.length === 0 ? undefined : answers.reduce((latest, at) => Math.max(latest, at)),
    queued: outbox.size,
    dropped: outbox.dropped,
    isRefused,
  }
}

/** The health as a reading of the gateway's concentrator. */
export const toHealthReading = (serial: string, ts: number, health: Health): ChildReading => ({
  id: serial,
  ts,
  m: {
    'gateway.offline': health.lines - health.openLines,
    'gateway.silent': health.silentDevices,
    'gateway.queued': health.queued,
    'gateway.dropped': health.dropped,
    'gateway.refused': health.isRefused ? 1 : 0,
  },
})
