import { type Device, type DeviceKind, type DeviceState, isStale } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import { computeSpread, computeSum, type Spread } from '../../shared/statistics.ts'

/** Room temperature that the law asks for, °C. */
export const LEGAL_ROOM_C = 18

/** How many devices of one kind there are and how many report in time. */
export interface Presence {
  readonly total: number
  readonly online: number
  readonly stale: number
}

export interface StationFigures {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly isStale: boolean
}

/** What the home page says of a network. Temperatures in °C, spreads in K, power in kW. */
export interface NetworkFigures {
  readonly stations: readonly StationFigures[]
  readonly valves: Presence
  readonly meters: Presence
  readonly rooms: Presence
  /** Return temperatures of the valves that report in time. */
  readonly returnsC: readonly number[]
  readonly returnSpread: Spread | undefined
  readonly totalPowerKw: number | undefined
  readonly roomsC: readonly number[]
  readonly roomSpread: Spread | undefined
  /** Share (0 to 1) of the rooms that report in time and have at least LEGAL_ROOM_C. */
  readonly warmShare: number | undefined
}

/** Figures of the devices at `now` (Unix ms). Values that are stale are counted as such and go into no figure. */
export function computeFigures(
  devices: readonly Device[],
  states: ReadonlyMap<number, DeviceState>,
  now: number,
): NetworkFigures {
  const isLate = (device: Device): boolean => {
    const state = states.get(device.id)
    return !state || isStale(state.ts, device.periodS, now)
  }
  const late = new Set(devices.filter(isLate).map(({ id }) => id))
  const ofKind = (kind: DeviceKind) => devices.filter((device) => device.kind === kind)
  const toPresence = (kind: DeviceKind): Presence => {
    const all = ofKind(kind)
    const stale = all.filter(({ id }) => late.has(id)).length
    return { total: all.length, online: all.length - stale, stale }
  }
  const valuesOf = (kind: DeviceKind, metric: MetricName): readonly number[] =>
    ofKind(kind).flatMap(({ id }) => {
      const value = late.has(id) ? undefined : states.get(id)?.metrics[metric]
      return value === undefined ? [] : [value]
    })
  const returnsC = valuesOf('valve', 'temp.return')
  const roomsC = valuesOf('room-sensor', 'temp.room')
  const warm = roomsC.filter((roomC) => roomC >= LEGAL_ROOM_C).length
  return {
    stations: ofKind('station').map((device) => ({
      device,
      state: states.get(device.id),
      isStale: late.has(device.id),
    })),
    valves: toPresence('valve'),
    meters: toPresence('heat-meter'),
    rooms: toPresence('room-sensor'),
    returnsC,
    returnSpread: computeSpread(returnsC),
    totalPowerKw: computeSum(valuesOf('heat-meter', 'heat.power')),
    roomsC,
    roomSpread: computeSpread(roomsC),
    warmShare: roomsC.length === 0 ? undefined : warm / roomsC.length,
  }
}
