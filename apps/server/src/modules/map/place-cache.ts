import type { MapCoordinates } from '@isotherm/contract/map'
import type { Revisions } from '../../platform/signals/revisions.pg.ts'
import type { PlacedNode } from '../network/index.ts'
import { createMapIndex, type MapIndex } from './map-index.ts'

type PlacesRevision = Pick<Revisions, 'groups' | 'places'>

interface Kept {
  readonly revision: PlacesRevision
  readonly nodes: Promise<readonly PlacedNode[]>
  readonly indices: Map<MapCoordinates, Promise<MapIndex>>
}

/**
 * All places, read anew once a node was changed or placed elsewhere: what is kept counts only under the revision it was
 * read at. `revision` is that of the call, read at its beginning.
 */
export function createKeptPlaces(read: () => Promise<readonly PlacedNode[]>) {
  let kept: Kept | undefined

  function take(revision: PlacesRevision): Kept {
    if (kept?.revision.groups === revision.groups && kept.revision.places === revision.places) return kept
    const nodes = read()
    const taken: Kept = { revision, nodes, indices: new Map() }
    kept = taken
    nodes.catch(() => {
      if (kept === taken) kept = undefined
    })
    return taken
  }

  return (revision: PlacesRevision, coordinates: MapCoordinates): Promise<MapIndex> => {
    const { nodes, indices } = take(revision)
    const known = indices.get(coordinates)
    if (known) return known
    const index = nodes.then((all) => createMapIndex(all, coordinates))
    indices.set(coordinates, index)
    return index
  }
}
