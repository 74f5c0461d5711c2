import type { CountedHeat } from '@isotherm/contract/endpoints/monitoring/meters'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { countRegister, type RegisterCount } from '../registers/count-register.ts'
import { findHeatOfEnds } from '../registers/heat-of-ends.ts'
import type { DayRange } from '../registers/plant-days.ts'
import { sumHeat } from '../registers/sum-heat.ts'
import { readReplacedMeters } from '../store/nodes.pg.ts'
import { readRegisterDays, readRegisterEnds } from '../store/register-days.ch.ts'

/** Counts the heat of meters in use, each with the meters that it replaced. */
export interface HeatCounter {
  /** Heat of any number of meters. A meter without a reading around the range is absent. */
  readonly countAll: (
    meterIds: readonly number[],
    range: DayRange,
  ) => Promise<ReadonlyMap<number, CountedHeat>>
  /** Day by day: with the estimated parts and what happened to the registers. */
  readonly countDays: (
    meterIds: readonly number[],
    range: DayRange,
  ) => Promise<ReadonlyMap<number, RegisterCount>>
}

/** Meters whose days are read in one query. */
const METERS_AT_ONCE = 1_000

export function createHeatCounter(db: Database, clickhouse: ClickHouseClient): HeatCounter {
  async function countLines(
    meterIds: readonly number[],
    replaced: ReadonlyMap<number, readonly number[]>,
    range: DayRange,
  ): Promise<Map<number, RegisterCount>> {
    const counts = new Map<number, RegisterCount>()
    for (let start = 0; start < meterIds.length; start += METERS_AT_ONCE) {
      const part = meterIds.slice(start, start + METERS_AT_ONCE)
      const lines = part.map((id) => [...(replaced.get(id) ?? []), id])
      const days = await readRegisterDays(clickhouse, lines.flat(), range)
      for (const [index, line] of lines.entries()) {
        const rows = line.flatMap((id) => days.get(id) ?? []).sort((left, right) => left.day - right.day)
        const meter = part[index]
        if (rows.length > 0 && meter !== undefined) counts.set(meter, countRegister(rows))
      }
    }
    return counts
  }

  const isAround = (heat: CountedHeat, { from, to }: DayRange): boolean => heat.uncountedDays < to - from

  return {
    async countAll(meterIds, range) {
      const [ends, replaced] = await Promise.all([
        readRegisterEnds(clickhouse, meterIds, range),
        readReplacedMeters(db),
      ])
      const heat = new Map<number, CountedHeat>()
      const byDay = new Set(meterIds.filter((id) => replaced.has(id)))
      for (const each of ends) {
        if (each.isSuspect) byDay.add(each.device)
        const counted = byDay.has(each.device) ? undefined : findHeatOfEnds(each, range)
        if (counted) heat.set(each.device, counted)
      }
      for (const [id, count] of await countLines([...byDay], replaced, range)) {
        const counted = sumHeat(count, range)
        if (isAround(counted, range)) heat.set(id, counted)
      }
      return heat
    },
    countDays: async (meterIds, range) => countLines(meterIds, await readReplacedMeters(db), range),
  }
}
