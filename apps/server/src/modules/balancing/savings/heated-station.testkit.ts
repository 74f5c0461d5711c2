import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { celsius } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { waterDensity } from '@isotherm/kernel/water-density'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { vi } from 'vitest'
import { z } from 'zod'
import {
  type ClickHouseClient,
  createClickhouse,
  createReadRows,
} from '../../../platform/clickhouse/clickhouse.ch.ts'
import { createRegistry } from '../../../testing/core.testkit.ts'
import type { TestServer } from '../../../testing/server.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'

/** Hour of a device, as the rollups have it. */
interface HourRow {
  readonly device: number
  readonly metric: MetricName
  readonly at: number
  readonly mean: number
  readonly last?: number
}

const marksRow = z.tuple([z.coerce.number()])

/** Resolves when the server has built its first rollups: before that it drops all it finds. */
const awaitRollups = (client: ClickHouseClient): Promise<void> =>
  vi.waitFor(
    async () => {
      const [[marks] = [0]] = await createReadRows(client)(marksRow, 'SELECT count() FROM rollup_marks')
      if (marks === 0) throw new Error('no rollups yet')
    },
    { timeout: 60_000, interval: 200 },
  )

/** Stores hours as rollups do. */
export async function storeHours(
  { config }: Pick<TestServer, 'config'>,
  rows: readonly HourRow[],
): Promise<void> {
  const client = createClickhouse(config)
  await awaitRollups(client)
  const values = rows.map(({ device, metric, at, mean, last = mean }) => ({
    device,
    metric: metrics[metric].id,
    hour: at / 1000,
    total: 4,
    good: 4,
    sum_value: 4 * mean,
    min_value: mean,
    max_value: last,
    min_at: at / 1000,
    max_at: at / 1000,
    first_value: mean,
    last_value: last,
    quality: 0,
  }))
  await client.insert({ table: 'readings_hour', values, format: 'JSONEachRow' })
  await client.close()
}

const KELVIN_ACROSS = 8
const SUPPLY_C = 46
/** Flow that carries a heat at the difference of supply and return. */
const flowFor = (kw: number): number =>
  (kw * 3.6e6) / (waterDensity(celsius(SUPPLY_C - KELVIN_ACROSS)) * WATER_HEAT_CAPACITY * KELVIN_ACROSS)

/** A day of a station: outdoor temperature, heat by the weather, errors, and the share that is saved. */
export interface TestDay {
  readonly from: number
  readonly outdoorC: number
  readonly heatKwh: number
  readonly pumpKwh: number
}

/** Days from an instant on: 2 MWh and 500 kWh/K below 16 °C, errors of 300 kWh, and a share saved. */
export function drawDays(from: number, count: number, saved: number): TestDay[] {
  const random = createRandom(7)
  return Array.from({ length: count }, (_, at) => {
    const outdoorC = -4 + 6 * Math.sin(at / 9) + sampleNormal(random, 0, 2)
    const heatKwh = 2_000 + 500 * (16 - outdoorC) + sampleNormal(random, 0, 300)
    return {
      from: from + at * DAY_MS,
      outdoorC,
      heatKwh: (1 - saved) * heatKwh,
      pumpKwh: saved > 0 ? 60 : 100,
    }
  })
}

/** The 24 hours of a day as a controller with a flow meter reports them. */
export const toControllerHours = (device: number, { from, outdoorC, heatKwh, pumpKwh }: TestDay): HourRow[] =>
  Array.from({ length: 24 }, (_, hour): HourRow[] => {
    const at = from + hour * HOUR_MS
    // Heat and weather swing over the day, and their means are those of the day.
    const swing = Math.sin((2 * Math.PI * hour) / 24)
    const row = (metric: MetricName, mean: number): HourRow => ({ device, metric, at, mean })
    return [
      row('temp.outdoor', outdoorC + 3 * swing),
      row('heat.flow', flowFor((heatKwh / 24) * (1 - 0.1 * swing))),
      row('temp.supply', SUPPLY_C),
      row('temp.return', SUPPLY_C - KELVIN_ACROSS),
      row('pump.power', pumpKwh / 24),
    ]
  }).flat()

/** The hours of days as a meter with a counter reports them, with an hour before the first. */
export function toMeterHours(device: number, days: readonly TestDay[], startKwh = 50_000): HourRow[] {
  let kwh = startKwh
  const first = days[0]?.from ?? 0
  const before: HourRow = { device, metric: 'heat.energy', at: first - HOUR_MS, mean: kwh, last: kwh }
  const rows = days.flatMap(({ from, heatKwh }) =>
    Array.from({ length: 24 }, (_, hour): HourRow => {
      kwh += heatKwh / 24
      return { device, metric: 'heat.energy', at: from + hour * HOUR_MS, mean: kwh - heatKwh / 48, last: kwh }
    }),
  )
  return [before, ...rows]
}

/** Gives both stations of the small registry their controllers, and the second one a heat meter. */
export async function addStationDevices({ db }: TestServer): Promise<void> {
  const registry = createRegistry()
  const controller = (serial: string, node: string, kind: 'station' | 'heat-meter') => ({
    serial,
    kind,
    name: serial,
    model: 'K1',
    node,
    concentrator: null,
    periodS: 60,
  })
  const added = [
    controller('K-s1', 's1', 'station'),
    controller('K-s2', 's2', 'station'),
    controller('M-s2', 's2', 'heat-meter'),
  ]
  await importRegistry(db, { ...registry, devices: [...registry.devices, ...added] })
}
