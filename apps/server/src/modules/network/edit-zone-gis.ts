import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/zone-gis'
import { AppError } from '../../platform/app-error.ts'
import type { Database } from '../../platform/database.pg.ts'
import type { Call } from '../../platform/http/call.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import { lockNodes } from './lock-tree.pg.ts'
import { nodeTypes, toNodeKey } from './node-key.ts'
import { toPlaceAbilities, type Viewer } from './policy.ts'
import { findNodeId } from './read-nodes.pg.ts'
import { listPlaces, type PlaceRow, readPlaces, savePlace } from './zone-gis.pg.ts'

/** Where nodes lie on the map. */
export interface ZoneGisEditor {
  list(query: InputOf<typeof api.getZoneGis>, call: Call): Promise<OutputOf<typeof api.getZoneGis>>
  save(input: InputOf<typeof api.updateZoneGis>, call: Call): Promise<OutputOf<typeof api.updateZoneGis>>
}

const toAnswer = (
  viewer: Viewer,
  { kind, name, level, path, nestaddr, place, version, ...row }: PlaceRow,
) => ({
  ...{ node: toNodeKey(row), label: name, level, nodetype: nodeTypes[kind], nestaddr, place, version },
  abilities: toPlaceAbilities(viewer, path),
})

export const createZoneGisEditor = (db: Database): ZoneGisEditor => ({
  async list(query, { caller }) {
    const { rows, total } = await listPlaces(db, caller.scope, query)
    return { datalist: rows.map((row) => toAnswer(caller, row)), total }
  },

  async save({ items }, { caller, operation }) {
    const ids = await Promise.all(items.map(({ node }) => findNodeId(db, node)))
    if (new Set(ids).size < ids.length) {
      throw new AppError('request.malformed', { detail: 'items: a node stands twice' })
    }
    await operate(db, operation, async (transaction) => {
      await lockNodes(transaction, caller.scope, ids)
      for (const [index, { place, version }] of items.entries()) {
        await savePlace(transaction, ids[index] ?? 0, place, version)
      }
    })
    const rows = await readPlaces(db, ids)
    return { datalist: rows.map((row) => toAnswer(caller, row)) }
  },
})
