import { endpoints } from '@isotherm/contract/endpoints/all'
import { type Place, spreadPlaces, toPathEnd } from './company.ts'
import type { PlainSql } from './plain-sql.ts'
import type { Session } from './server-calls.ts'
import { type Compared, type Times, time, toTimes } from './timing.ts'

const CHILDREN = 'select id, name, level, version from node where parent_id = $1 order by sort_path'
const HOUSEHOLDS = `
  select uuid, address from node where path collate "C" >= $1 and path collate "C" < $2 and level = 8
  order by sort_path`

/** Calls of each place per `measureAgain`. */
const ROUNDS = 2

export interface ChildrenTimes extends Compared {
  /** Times of calls for children of residential areas that the server has not cached. */
  readonly uncached: Times
}

export interface ChildrenMeasure {
  /** Measures every place; called several times, spread over the run. */
  measureAgain(): Promise<void>
  /** Returns the times of the slower kind of place (by p95). */
  end(): Promise<ChildrenTimes>
}

/** Places of one kind, how to query their children from the server and in plain SQL, and the times of both, ms. */
interface Kind {
  readonly places: readonly Place[]
  readonly timeServer: (place: Place) => Promise<number>
  readonly timePlain: (place: Place) => Promise<number>
  readonly ours: number[]
  readonly plain: number[]
}

const toCompared = ({ ours, plain }: Kind): Compared => ({ ours: toTimes(ours), plain: toTimes(plain) })

/**
 * Measures queries for the children of heat stations (groups) and of residential areas (buildings with all addresses),
 * alternating with plain SQL. The calls take about a millisecond, so their p95 depends on the machine's noise, which changes
 * within ten seconds. Therefore the calls are spread over the whole run.
 */
export async function createChildrenMeasure(
  session: Session,
  sql: PlainSql,
  count: number,
): Promise<ChildrenMeasure> {
  const timeBuildings = async ({ chain }: Place, size: number): Promise<number> => {
    const filter = [{ field: 'parentids', cond: 'regex' as const, vrex: `^${chain}(,|$)` }]
    return (await session.call(endpoints.getVauser, { filter, limiter: { page: 1, size } })).ms
  }
  const stations: Kind = {
    places: await spreadPlaces(sql, 4, count),
    timeServer: async ({ id, projectId }) =>
      (await session.call(endpoints.getDevGroups, { projectId, id, devCountIsContainChildren: 0 })).ms,
    timePlain: ({ id }) => sql.time(CHILDREN, [id]),
    ours: [],
    plain: [],
  }
  const areas: Kind = {
    places: await spreadPlaces(sql, 5, count),
    timeServer: (area) => timeBuildings(area, 1_000),
    timePlain: ({ id, path }) =>
      time(async () => {
        await sql.time(CHILDREN, [id])
        await sql.time(HOUSEHOLDS, [path, toPathEnd(path)])
      }),
    ours: [],
    plain: [],
  }

  async function timePlace(
    { places, timeServer, timePlain, ours, plain }: Kind,
    index: number,
    counts: boolean,
  ) {
    const place = places[index]
    if (place === undefined) return
    const [one, other] = [await timeServer(place), await timePlain(place)]
    if (!counts) return
    ours.push(one)
    plain.push(other)
  }

  return {
    async measureAgain() {
      // The tree may have changed: the first pass fills the server's cache.
      for (let round = 0; round <= ROUNDS; round += 1)
        for (let index = 0; index < count; index += 1)
          for (const kind of [stations, areas]) await timePlace(kind, index, round > 0)
    },
    async end() {
      // A page of another size is not in the cache.
      const uncached: number[] = []
      for (const area of areas.places) uncached.push(await timeBuildings(area, 999))
      const [ofStations, ofAreas] = [toCompared(stations), toCompared(areas)]
      return {
        ...(ofStations.ours.p95 >= ofAreas.ours.p95 ? ofStations : ofAreas),
        uncached: toTimes(uncached),
      }
    },
  }
}
