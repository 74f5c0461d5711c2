import { endpoints } from '@isotherm/contract/endpoints/all'
import { type Place, spreadPlaces, toPathEnd } from './company.ts'
import type { PlainSql } from './plain-sql.ts'
import type { Session } from './server-calls.ts'
import { type Compared, type Times, time, toTimes } from './timing.ts'

const CHILDREN = 'select id, name, level, version from node where parent_id = $1 order by sort_path'
const HOUSEHOLDS = `
  select uuid, address from node where path collate "C" >= $1 and path collate "C" < $2 and level = 8
  order by sort_path`

/** Calls of each place at one time of the run. */
const ROUNDS = 2

export interface ChildrenTimes extends Compared {
  /** Times of the first call of residential areas after a change of the tree. */
  readonly anew: Times
}

export interface ChildrenMeasure {
  /** Measures every place again. */
  goOn(): Promise<void>
  /** Times of the kind of place with the higher p95. */
  end(): Promise<ChildrenTimes>
}

/** A kind of place: calls for its children by the server and in plain SQL, and the times of both, ms. */
interface Kind {
  readonly places: readonly Place[]
  readonly ask: (place: Place) => Promise<number>
  readonly askPlain: (place: Place) => Promise<number>
  readonly ours: number[]
  readonly plain: number[]
}

const toCompared = ({ ours, plain }: Kind): Compared => ({ ours: toTimes(ours), plain: toTimes(plain) })

/**
 * Children of heat stations (groups) and of residential areas (buildings with all addresses), with the calls of the tree,
 * alternating with plain SQL. The noise of a machine changes within ten seconds and determines the p95 of calls of a
 * millisecond. So the calls are repeated at several times of a run, and all of them count.
 */
export async function createChildrenMeasure(
  session: Session,
  sql: PlainSql,
  count: number,
): Promise<ChildrenMeasure> {
  const askBuildings = async ({ chain }: Place, size: number): Promise<number> => {
    const filter = [{ field: 'parentids', cond: 'regex' as const, vrex: `^${chain}(,|$)` }]
    return (await session.call(endpoints.getVauser, { filter, limiter: { page: 1, size } })).ms
  }
  const stations: Kind = {
    places: await spreadPlaces(sql, 4, count),
    ask: async ({ id, projectId }) =>
      (await session.call(endpoints.getDevGroups, { projectId, id, devCountIsContainChildren: 0 })).ms,
    askPlain: ({ id }) => sql.time(CHILDREN, [id]),
    ours: [],
    plain: [],
  }
  const areas: Kind = {
    places: await spreadPlaces(sql, 5, count),
    ask: (area) => askBuildings(area, 1_000),
    askPlain: ({ id, path }) =>
      time(async () => {
        await sql.time(CHILDREN, [id])
        await sql.time(HOUSEHOLDS, [path, toPathEnd(path)])
      }),
    ours: [],
    plain: [],
  }

  async function askOne({ places, ask, askPlain, ours, plain }: Kind, index: number, counts: boolean) {
    const place = places[index]
    if (place === undefined) return
    const [one, other] = [await ask(place), await askPlain(place)]
    if (!counts) return
    ours.push(one)
    plain.push(other)
  }

  return {
    async goOn() {
      // The tree may have changed: the first pass fills the server's cache.
      for (let round = 0; round <= ROUNDS; round += 1)
        for (let index = 0; index < count; index += 1)
          for (const kind of [stations, areas]) await askOne(kind, index, round > 0)
    },
    async end() {
      // A page of another size is not in the cache.
      const anew: number[] = []
      for (const area of areas.places) anew.push(await askBuildings(area, 999))
      const [ofStations, ofAreas] = [toCompared(stations), toCompared(areas)]
      return { ...(ofStations.ours.p95 >= ofAreas.ours.p95 ? ofStations : ofAreas), anew: toTimes(anew) }
    },
  }
}
