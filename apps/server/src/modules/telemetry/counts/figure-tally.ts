import type { DeviceKind } from '@isotherm/contract/devices'
import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'
import type { NetworkFigures } from '@isotherm/contract/network/network-figures'
import type { Condition } from './device-counts.ts'
import { createValueTally } from './value-tally.ts'

/** A device and its current condition. */
export interface CountedDevice {
  readonly id: number
  readonly kind: DeviceKind
  readonly condition: Condition
}

/** Metrics from which the figures are computed. */
export type FigureMetric = 'temp.return' | 'temp.room' | 'heat.power'

/** Newest value of a metric; NaN if the device does not report it. */
export type ReadValue = (id: number, metric: FigureMetric) => number

/** Figures of devices, with the ids of the stations among them in the order of input. */
export interface CountedFigures extends Omit<NetworkFigures, 'stations'> {
  readonly stationIds: readonly number[]
}

function createPresence() {
  const counts = { total: 0, online: 0, silent: 0, unknown: 0 }
  return {
    counts,
    add(condition: Condition): void {
      counts.total += 1
      if (condition === 'silent' || condition === 'unknown') counts[condition] += 1
      else counts.online += 1
    },
  }
}

/** Accepts devices one by one. Only values of devices in good condition are part of a figure. */
export function createFigureTally(readValue: ReadValue) {
  const [valves, meters, sensors] = [createPresence(), createPresence(), createPresence()]
  const [returnTemps, roomTemps] = [createValueTally('temp.return'), createValueTally('temp.room')]
  const stationIds: number[] = []
  let warm = 0
  let powerKw: number | null = null

  function findValue({ id, condition }: CountedDevice, metric: FigureMetric): number | undefined {
    const value = condition === 'good' ? readValue(id, metric) : Number.NaN
    return Number.isNaN(value) ? undefined : value
  }

  const add = {
    valve(device: CountedDevice) {
      valves.add(device.condition)
      const returnC = findValue(device, 'temp.return')
      if (returnC !== undefined) returnTemps.add(returnC)
    },
    'heat-meter'(device: CountedDevice) {
      meters.add(device.condition)
      const value = findValue(device, 'heat.power')
      if (value !== undefined) powerKw = (powerKw ?? 0) + value
    },
    'room-sensor'(device: CountedDevice) {
      sensors.add(device.condition)
      const roomC = findValue(device, 'temp.room')
      if (roomC !== undefined && roomTemps.add(roomC)) warm += Number(roomC >= LEGAL_ROOM_C)
    },
    station: ({ id }: CountedDevice) => void stationIds.push(id),
    concentrator: () => undefined,
    sensor: () => undefined,
  } satisfies Record<DeviceKind, (device: CountedDevice) => void>

  return {
    add: (device: CountedDevice): void => add[device.kind](device),
    read(): CountedFigures {
      const rooms = roomTemps.read()
      return {
        valves: valves.counts,
        meters: meters.counts,
        rooms: sensors.counts,
        returnTemps: returnTemps.read(),
        roomTemps: rooms,
        warmShare: rooms && warm / rooms.count,
        powerKw,
        stationIds,
      }
    },
  }
}
