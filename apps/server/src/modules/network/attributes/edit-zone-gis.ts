import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network/zone-gis'
import type { Call } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { nodeTypes, toNodeKey } from '../nodes/node-key.ts'
import { toPlaceAbilities, type Viewer } from '../nodes/policy.ts'
import { editEach } from './edit-each.pg.ts'
import { listPlaces, type PlaceRow, readPlaces, savePlace } from './zone-gis.pg.ts'

/** Lists and saves the places of nodes on the map. */
export interface ZoneGisEditor {
  list(query: InputOf<typeof api.getZoneGis>, call: Call): Promise<OutputOf<typeof api.getZoneGis>>
  save(input: InputOf<typeof api.updateZoneGis>, call: Call): Promise<OutputOf<typeof api.updateZoneGis>>
}

const toAnswer = (
  viewer: Viewer,
  { kind, name, level, path, nestaddr, place, version, ...row }: PlaceRow,
) => ({
  node: toNodeKey(row),
  label: name,
  level,
  nodetype: nodeTypes[kind],
  nestaddr,
  place,
  version,
  abilities: toPlaceAbilities(viewer, path),
})

export const createZoneGisEditor = (db: Database): ZoneGisEditor => ({
  async list(query, { caller }) {
    const { rows, total } = await listPlaces(db, caller.scope, query)
    return { datalist: rows.map((row) => toAnswer(caller, row)), total }
  },

  async save({ items }, call) {
    const ids = await editEach(db, items, call, (transaction, id, { place, version }) =>
      savePlace(transaction, id, place, version),
    )
    return { datalist: (await readPlaces(db, ids)).map((row) => toAnswer(call.caller, row)) }
  },
})
