import type { Random } from '@isotherm/kernel/random'
import type { StationPlant } from '../plant/station-plant.ts'
import { createSensor, ROOM_TEMPERATURE, type Sensor } from './sensor.ts'

/** A battery sensor in a flat. */
export interface RoomSensor {
  readonly serial: string
  readonly unit: number
  readonly flat: number
  readonly temperature: Sensor
  readonly batteryV: number
  readonly signalDbm: number
}

/** The sensors of a station's flats, in the order of its units. */
export function createRoomSensors(plant: StationPlant, identity: Random, noise: Random): RoomSensor[] {
  return plant.spec.units.flatMap((unit, unitIndex) =>
    unit.households.flatMap((flat, flatIndex): RoomSensor[] =>
      flat.roomSensor === undefined
        ? []
        : [
            {
              serial: flat.roomSensor,
              unit: unitIndex,
              flat: flatIndex,
              temperature: createSensor(ROOM_TEMPERATURE, identity, noise),
              batteryV: 2.9 + 0.2 * identity(),
              signalDbm: -80 - 30 * identity(),
            },
          ],
    ),
  )
}

/** What the sensor shows now, by metric name. */
export function readRoom(sensor: RoomSensor, plant: StationPlant): Record<string, number> {
  const air = plant.units[sensor.unit]?.households[sensor.flat]?.state.airC ?? 0
  return {
    'temp.room': sensor.temperature(air),
    'bat.v': Number(sensor.batteryV.toFixed(2)),
    rssi: Math.round(sensor.signalDbm),
  }
}
