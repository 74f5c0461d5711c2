import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { ROOT_PATH, toProjectIds } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { DayRange } from '../registers/plant-days.ts'
import { readOutdoorDays } from '../store/register-days.ch.ts'

/** Reads the outdoor temperature of days from the sensors of the companies that paths belong to. */
export const createWeatherReader =
  (directory: Pick<DeviceDirectory, 'below'>, clickhouse: ClickHouseClient) =>
  async (paths: readonly string[], range: DayRange): Promise<ReadonlyMap<number, number>> => {
    const projects = paths.includes(ROOT_PATH) ? [ROOT_PATH] : toProjectIds(paths).map((id) => `/${id}/`)
    const ids: number[] = []
    for (const { id, kind } of directory.below(projects))
      if (kind === 'station' || kind === 'concentrator') ids.push(id)
    return readOutdoorDays(clickhouse, ids, range)
  }
