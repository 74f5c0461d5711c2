import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type {
  CountedHeat,
  getMeterCourse,
  getMeterRows,
  MeterRow,
} from '@isotherm/contract/endpoints/monitoring/meters'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import { countOpenFindings, type Telemetry } from '../telemetry/index.ts'
import { toDays, untilToday, withDefault } from './queries/day-range.ts'
import type { HeatCounter } from './queries/heat-counter.ts'
import { findAt, listMeters, type PlacedMeter } from './queries/meter-places.ts'
import { toCourse } from './registers/course.ts'
import { sumDegreeDays } from './registers/degree-days.ts'
import { type DayRange, toDate } from './registers/plant-days.ts'
import type { Season } from './registers/season.ts'
import { sumHeat } from './registers/sum-heat.ts'
import {
  countHeated,
  getHeated,
  type HeatedNode,
  listHeated,
  listHeatedPaths,
  readMeterNames,
} from './store/nodes.pg.ts'

export interface MetersNeeds {
  readonly db: Database
  readonly directory: Pick<DeviceDirectory, 'below' | 'findById'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly states: Pick<Telemetry['states'], 'find'>
  readonly counter: HeatCounter
  /** Mean outdoor temperature by day number, over the companies of paths. */
  readonly readWeather: (paths: readonly string[], range: DayRange) => Promise<ReadonlyMap<number, number>>
  readonly season: Season
  /** The current day of the plant: its rollup does not exist yet. */
  readonly today: () => number
}

/** Consumption of heat. The nodes and devices of a call are already checked. */
export interface MetersService {
  /** Throws node.not-found, history.range-too-large, request.malformed. */
  getRows(scope: Scope, input: InputOf<typeof getMeterRows>): Promise<OutputOf<typeof getMeterRows>>
  /** Throws history.range-too-large, request.malformed. */
  getCourse(input: InputOf<typeof getMeterCourse>): Promise<OutputOf<typeof getMeterCourse>>
}

function sumBelow(below: readonly PlacedMeter[], heat: ReadonlyMap<number, CountedHeat>): MeterRow['below'] {
  if (below.length === 0) return undefined
  const counted = below.flatMap(({ id }) => heat.get(id) ?? [])
  const sum = (pick: (each: CountedHeat) => number) => counted.reduce((all, each) => all + pick(each), 0)
  return {
    heatKwh: sum(({ heatKwh }) => heatKwh),
    estimatedKwh: sum(({ estimatedKwh }) => estimatedKwh),
    meters: below.length,
    complete: counted.filter(({ missingDays }) => missingDays === 0).length,
    contributing: counted.length,
  }
}

export function createMetersService(needs: MetersNeeds): MetersService {
  const { db, directory, network, states, counter, readWeather, season, today } = needs

  /** Nodes of the page, ordered by heat or by missing days of their own meter, else of the meters below. */
  async function listRanked(
    query: Parameters<typeof listHeatedPaths>[1],
    meters: readonly PlacedMeter[],
    range: DayRange,
    input: InputOf<typeof getMeterRows>,
  ): Promise<readonly HeatedNode[]> {
    const paths = await listHeatedPaths(db, query)
    const found = paths.map((path) => ({ path, ...findAt(meters, path) }))
    const counted = found.flatMap(({ own, below }) => (own ? [own.id] : below.map(({ id }) => id)))
    const heat = await counter.countAll(counted, range)
    const pick = (id: number): number => {
      const each = heat.get(id)
      if (input.sort === 'missing') return each?.missingDays ?? range.to - range.from
      return each?.heatKwh ?? 0
    }
    const ranked = found.map(({ path, own, below }) => ({
      path,
      value: own ? pick(own.id) : below.reduce((sum, { id }) => sum + pick(id), 0),
    }))
    ranked.sort((left, right) => (input.descending ? right.value - left.value : left.value - right.value))
    const offset = (input.limiter.page - 1) * input.limiter.size
    return getHeated(
      db,
      ranked.slice(offset, offset + input.limiter.size).map(({ path }) => path),
    )
  }

  async function toMeter(
    meters: readonly PlacedMeter[],
    range: DayRange,
  ): Promise<ReadonlyMap<number, NonNullable<MeterRow['meter']>>> {
    const ids = meters.map(({ id }) => id)
    const [names, findings, counts] = await Promise.all([
      readMeterNames(db, ids),
      countOpenFindings(db, ids),
      counter.countDays(ids, range),
    ])
    return new Map(
      meters.map(({ id, periodS }) => {
        const state = states.find(id)
        const newestKwh = state?.metrics['heat.energy']
        const count = counts.get(id)
        const counted = count && sumHeat(count, range)
        const isCounted = counted && counted.uncountedDays < range.to - range.from
        const events =
          count?.segments.filter(
            ({ begins, from }) => begins !== 'first' && from >= range.from && from < range.to,
          ).length ?? 0
        return [
          id,
          {
            deviceId: id,
            serial: names.get(id)?.serial ?? '',
            name: names.get(id)?.name ?? '',
            periodS,
            ...(state && newestKwh !== undefined
              ? { newest: { kwh: newestKwh, at: state.ts, quality: state.quality } }
              : {}),
            openFindings: findings.get(id) ?? 0,
            ...(isCounted ? { counted } : {}),
            events,
          },
        ]
      }),
    )
  }

  return {
    async getRows(scope, input) {
      const range = untilToday(toDays(withDefault(input, today())), today())
      const paths = await network.resolveNodes(scope, input.nodes)
      const query = { paths, level: input.level, text: input.text.trim() }
      const { page, size } = input.limiter
      const meters = await listMeters(directory, paths)
      const [nodes, total, outdoorC] = await Promise.all([
        input.sort === 'place'
          ? listHeated(db, query, { offset: (page - 1) * size, size })
          : listRanked(query, meters, range, input),
        countHeated(db, query),
        readWeather(paths, range),
      ])
      const found = nodes.map((node) => ({ node, ...findAt(meters, node.path) }))
      const [own, heat] = await Promise.all([
        toMeter(
          found.flatMap((each) => each.own ?? []),
          range,
        ),
        counter.countAll(
          found.flatMap(({ below }) => below.map(({ id }) => id)),
          range,
        ),
      ])
      const toRow = ({ node, own: meter, below }: (typeof found)[number]): MeterRow => {
        const sum = sumBelow(below, heat)
        const mine = meter && own.get(meter.id)
        const isWhole = sum !== undefined && sum.contributing === sum.meters
        const lost = isWhole && mine?.counted ? { lostKwh: mine.counted.heatKwh - sum.heatKwh } : {}
        const { path: _, areaM2, ...place } = node
        return {
          node: place.key,
          name: place.name,
          nestaddr: place.nestaddr,
          ...(areaM2 === undefined ? {} : { areaM2 }),
          ...(mine ? { meter: mine } : {}),
          ...(sum ? { below: sum } : {}),
          ...lost,
        }
      }
      return {
        datalist: found.map(toRow),
        total,
        days: range.to - range.from,
        from: toDate(range.from),
        to: toDate(range.to - 1),
        ...sumDegreeDays(outdoorC, range),
      }
    },

    async getCourse({ deviceId, level, ...dates }) {
      const range = untilToday(toDays(dates), today())
      const path = directory.findById(deviceId)?.path
      const [counts, outdoorC] = await Promise.all([
        counter.countDays([deviceId], range),
        readWeather(path === undefined ? [] : [path], range),
      ])
      return toCourse(counts.get(deviceId), { level, range, season, outdoorC })
    },
  }
}
