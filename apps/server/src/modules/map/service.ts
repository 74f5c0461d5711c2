import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network/map'
import { type MapExtent, type MapPlace, type MapTiles, mapMetrics } from '@isotherm/contract/network/map'
import type { NodeKey } from '@isotherm/contract/tree'
import { mean } from '@isotherm/kernel/statistics'
import type { Call } from '../../platform/http/call.ts'
import type { FileAnswer } from '../../platform/http/handlers.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { covers, createCover, narrow, type Scope } from '../../platform/scope/scope.ts'
import {
  getLocatedNode,
  listPlacedNodes,
  type NetworkService,
  readNestedNames,
  toPlaceAbilities,
} from '../network/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { buildTile, type MapVisibility } from './build-tile.ts'
import { type Figures, MAX_AGE_MS, openFigures } from './figures.ts'
import { createGroundFolder } from './ground/ground-folder.ts'
import { createTenantReader } from './ground/tenants.pg.ts'
import { type IndexedPlace, type MapIndex, toPathAbove } from './map-index.ts'
import { createPlaceCache } from './place-cache.ts'
import { toExtent } from './tile-grid.ts'

type MapCall = Pick<Call, 'caller' | 'revisions'>
type MapOperation<E extends 'getMapTile' | 'getMapExtent' | 'getMapPlaces' | 'getMapPlace'> = (
  call: MapCall,
  query: InputOf<(typeof api)[E]>,
) => Promise<OutputOf<(typeof api)[E]>>

/** The map as far as the caller's scope shows it. */
export interface MapService {
  readonly getTile: MapOperation<'getMapTile'>
  readonly getExtent: MapOperation<'getMapExtent'>
  readonly listPlaces: MapOperation<'getMapPlaces'>
  readonly getPlace: MapOperation<'getMapPlace'>
  getBase(call: MapCall): Promise<OutputOf<typeof api.getMapBase>>
  /** Throws map-file.not-found for a file that the caller's companies do not have, or that cannot be used. */
  openGroundFile(call: MapCall, input: InputOf<typeof api.getMapGroundFile>): Promise<FileAnswer>
}

export interface MapServiceNeeds {
  readonly db: Database
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly telemetry: Pick<Telemetry, 'openCounts' | 'values'>
  readonly tiles: MapTiles | undefined
  /** Folder of the map files. */
  readonly groundFolder: string | undefined
}

/** Positions are rounded to a millionth of a degree, about 0.1 m. */
const POSITION_SCALE = 1e6
const roundDegrees = (degrees: number): number => Math.round(degrees * POSITION_SCALE) / POSITION_SCALE

const toPosition = ({ longitudeDeg, latitudeDeg }: IndexedPlace) => ({
  longitudeDeg: roundDegrees(longitudeDeg),
  latitudeDeg: roundDegrees(latitudeDeg),
})

const toPoint = (place: IndexedPlace): [number, number] => {
  const { longitudeDeg, latitudeDeg } = toPosition(place)
  return [longitudeDeg, latitudeDeg]
}

const toPlace = (place: IndexedPlace, figures: Figures): MapPlace => ({
  node: place.node,
  label: place.name,
  level: place.level,
  ...toPosition(place),
  ...figures.of(place.path),
})

const isWithin = ({ west, south, east, north }: MapExtent, place: IndexedPlace): boolean =>
  place.longitudeDeg >= west &&
  place.longitudeDeg <= east &&
  place.latitudeDeg >= south &&
  place.latitudeDeg <= north

/** Finds the nearest place above a path; undefined if the scope does not cover it. */
function findAbove({ find }: MapIndex, scope: Scope, path: string): IndexedPlace | undefined {
  for (let above = toPathAbove(path); above !== '/'; above = toPathAbove(above)) {
    const place = find(above)
    if (place) return covers(scope, above) ? place : undefined
  }
  return undefined
}

/** Sorts places by their mean value, those without a value last; equal ones stay in tree order. */
function sortByValue(
  places: readonly IndexedPlace[],
  figures: Figures,
  order: 'lowest' | 'highest',
): readonly IndexedPlace[] {
  const sign = order === 'lowest' ? 1 : -1
  return places
    .map((place) => {
      const value = figures.of(place.path).value?.mean
      return { place, rank: value === undefined ? Number.POSITIVE_INFINITY : sign * value }
    })
    .toSorted((left, right) => (left.rank === right.rank ? 0 : left.rank - right.rank))
    .map(({ place }) => place)
}

export function createMapService({
  db,
  network,
  telemetry,
  tiles,
  groundFolder,
}: MapServiceNeeds): MapService {
  const ground = createGroundFolder(groundFolder)
  const readTenants = createTenantReader(db)
  const findIndex = createPlaceCache(() => listPlacedNodes(db))

  /** Paths of the requested nodes, reduced to the scope. */
  const resolve = ({ caller }: MapCall, keys: readonly NodeKey[]): Promise<readonly string[]> =>
    network.resolveNodes(caller.scope, keys)

  async function openVisibility(call: MapCall, keys: readonly NodeKey[]): Promise<MapVisibility> {
    const { scope } = call.caller
    return {
      shows: createCover(await resolve(call, keys)),
      covers: scope.kind === 'all' ? () => true : createCover(scope.paths),
    }
  }

  return {
    async getTile(call, { metric, coordinates, nodes: keys, ...tile }) {
      const [index, visibility, figures] = await Promise.all([
        findIndex(call.revisions, coordinates),
        openVisibility(call, keys),
        openFigures(telemetry, metric),
      ])
      const { places, clusters, pipes } = buildTile(index, tile, visibility)
      return {
        places: places.map((place) => toPlace(place, figures)),
        clusters: clusters.map(({ of, places: gathered }) => ({
          of,
          count: gathered.length,
          longitudeDeg: roundDegrees(mean(gathered.map(({ longitudeDeg }) => longitudeDeg))),
          latitudeDeg: roundDegrees(mean(gathered.map(({ latitudeDeg }) => latitudeDeg))),
          extent: toExtent(gathered.map(toPosition))?.extent ?? { west: 0, south: 0, east: 0, north: 0 },
          ...figures.sum(gathered.map(({ path }) => path)),
        })),
        pipes: pipes.flatMap((place) =>
          place.source
            ? [{ node: place.node, level: place.level, from: toPoint(place.source), to: toPoint(place) }]
            : [],
        ),
      }
    },

    async getExtent(call, { nodes: keys, coordinates }) {
      const [index, paths] = await Promise.all([findIndex(call.revisions, coordinates), resolve(call, keys)])
      const shows = createCover(paths)
      const found = toExtent(index.places.filter(({ path }) => shows(path)))
      if (found) return found
      const above = paths.flatMap((path) => findAbove(index, call.caller.scope, path) ?? [])
      return { extent: toExtent(above)?.extent ?? null, count: 0 }
    },

    async listPlaces(call, { nodes: keys, within, metric, order, coordinates, limiter }) {
      const [index, { shows }, figures] = await Promise.all([
        findIndex(call.revisions, coordinates),
        openVisibility(call, keys),
        openFigures(telemetry, metric),
      ])
      const shown = index.places.filter(
        (place) => shows(place.path) && (within === undefined || isWithin(within, place)),
      )
      const ordered = order === 'tree' ? shown : sortByValue(shown, figures, order)
      const start = (limiter.page - 1) * limiter.size
      const page = ordered.slice(start, start + limiter.size)
      const names = await readNestedNames(
        db,
        page.map(({ path }) => path),
      )
      const datalist = page.map((place) => ({
        ...toPlace(place, figures),
        nestaddr: names.get(place.path) ?? place.name,
      }))
      return { datalist, total: shown.length }
    },

    async getPlace({ caller }, { node }) {
      const { path, place, version, chain, ...found } = await getLocatedNode(db, node)
      // For an ancestor of the grants, the answer contains only its name and the counts of the granted devices below.
      const isCovered = covers(caller.scope, path)
      const [figures, values] = await Promise.all([
        openFigures(telemetry, undefined),
        telemetry.values.read(path, isCovered ? mapMetrics : [], MAX_AGE_MS),
      ])
      const { value: _, ...counts } = figures.sum(narrow(caller.scope, path))
      return {
        ...found,
        chain: [...chain],
        place: isCovered ? place : null,
        ...(isCovered && version !== null ? { version } : {}),
        abilities: toPlaceAbilities(caller, path),
        ...counts,
        values: mapMetrics.flatMap((metric) => {
          const value = values.get(metric)
          return value ? [{ metric, ...value }] : []
        }),
      }
    },

    async getBase({ caller }) {
      return { tiles: tiles ?? null, ground: await ground.list(await readTenants(caller.scope)) }
    },

    async openGroundFile({ caller }, { file, version }) {
      return ground.open(await readTenants(caller.scope), file, version)
    },
  }
}
