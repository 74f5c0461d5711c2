import type { Random } from '@isotherm/kernel/random'
import type { StationPlant } from '../../plant/station-plant.ts'
import { type Battery, voltsOf } from './battery.ts'
import { createSensor, ROOM_TEMPERATURE, type Sensor } from './sensor.ts'

/** A battery sensor in a flat. */
export interface RoomSensor {
  readonly serial: string
  /** Index of its flat in the station's households. */
  readonly flat: number
  readonly temperature: Sensor
  readonly battery: Battery
  readonly signalDbm: number
}

/** Maximum energy that a battery has used before the start, J: that of four years. */
const USED_BEFORE_J = 60_000

/** The sensors of a station's flats, in the order of its units. */
export function createRoomSensors(plant: StationPlant, identity: Random, noise: Random): RoomSensor[] {
  const flats = plant.spec.units.flatMap((unit) => unit.households)
  return flats.flatMap(({ roomSensor: serial }, flat): RoomSensor[] =>
    serial === undefined
      ? []
      : [
          {
            serial,
            flat,
            temperature: createSensor(ROOM_TEMPERATURE, identity, noise),
            battery: { usedJ: USED_BEFORE_J * identity() },
            signalDbm: -80 - 30 * identity(),
          },
        ],
  )
}

/** Present values of the sensor by metric name. */
export const readRoom = (sensor: RoomSensor, plant: StationPlant): Record<string, number> => ({
  'temp.room': sensor.temperature(plant.households.airC[sensor.flat] ?? 0),
  'bat.v': Number(voltsOf(sensor.battery).toFixed(2)),
  rssi: Math.round(sensor.signalDbm),
})
