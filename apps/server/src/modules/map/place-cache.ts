import type { MapCoordinates } from '@isotherm/contract/network/map'
import type { Revisions } from '../../platform/signals/revisions.pg.ts'
import type { PlacedNode } from '../network/index.ts'
import { createMapIndex, type MapIndex } from './map-index.ts'

type PlacesRevision = Pick<Revisions, 'groups' | 'places'>

interface CachedPlaces {
  readonly revision: PlacesRevision
  readonly nodes: Promise<readonly PlacedNode[]>
  readonly indices: Map<MapCoordinates, Promise<MapIndex>>
}

/**
 * Caches all places until the revision of the groups or the places changes. `revision` is the revision at the start of
 * the call. A failed read is not cached.
 */
export function createPlaceCache(read: () => Promise<readonly PlacedNode[]>) {
  let cached: CachedPlaces | undefined

  function getPlaces(revision: PlacesRevision): CachedPlaces {
    if (cached?.revision.groups === revision.groups && cached.revision.places === revision.places)
      return cached
    const nodes = read()
    const current: CachedPlaces = { revision, nodes, indices: new Map() }
    cached = current
    nodes.catch(() => {
      if (cached === current) cached = undefined
    })
    return current
  }

  return (revision: PlacesRevision, coordinates: MapCoordinates): Promise<MapIndex> => {
    const { nodes, indices } = getPlaces(revision)
    const known = indices.get(coordinates)
    if (known) return known
    const index = nodes.then((all) => createMapIndex(all, coordinates))
    indices.set(coordinates, index)
    return index
  }
}
