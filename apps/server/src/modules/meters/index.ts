import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Devices } from '../devices/index.ts'
import { toHeatingSeason } from '../history/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { createBillService } from './bills/bill-service.ts'
import { createMetersHandlers } from './handlers.ts'
import { createToday } from './queries/day-range.ts'
import { createHeatCounter, type HeatCounter } from './queries/heat-counter.ts'
import { createWeatherReader } from './queries/weather.ts'
import { createMetersService } from './service.ts'

export { toDays, untilToday } from './queries/day-range.ts'
export type { HeatCounter } from './queries/heat-counter.ts'
export { findAt, listMeters, type PlacedMeter } from './queries/meter-places.ts'
export { sumDegreeDays } from './registers/degree-days.ts'
export { type DayRange, toDate, toDayNumber } from './registers/plant-days.ts'
export { findSeasonStart, type Season } from './registers/season.ts'

/** Heat and weather of days, for statistics. */
export interface Meters {
  readonly counter: HeatCounter
  readonly readWeather: ReturnType<typeof createWeatherReader>
  /** The current day of the plant: its rollup does not exist yet. */
  readonly today: () => number
}

export interface MetersDependencies
  extends Pick<ServerResources, 'config' | 'db' | 'queryClickhouse' | 'clock'> {
  readonly devices: Pick<Devices, 'directory'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly telemetry: Pick<Telemetry, 'states'>
}

/** Consumption of heat by meters, and heat bills. */
export const metersModule = {
  create({ config, db, queryClickhouse, clock, devices, network, telemetry }: MetersDependencies) {
    const { directory } = devices
    const { timeZone, heatingSeason } = config.history
    const counter = createHeatCounter(db, queryClickhouse)
    const today = createToday(clock, timeZone)
    const needs = { db, directory, network, counter, today }
    const readWeather = createWeatherReader(directory, queryClickhouse)
    const meters = createMetersService({
      ...needs,
      states: telemetry.states,
      readWeather,
      season: toHeatingSeason(heatingSeason),
    })
    const offered: Meters = { counter, readWeather, today }
    return { handlers: createMetersHandlers(meters, createBillService(needs)), ...offered }
  },
} satisfies ServerModule
