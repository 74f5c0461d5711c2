import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import { type getHeatedNodes, updateEmitters } from '@isotherm/contract/endpoints/network/emitters'
import type { Call } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { NetworkService } from '../answers/service.ts'
import { lockNodeVersion } from '../nodes/lock-tree.pg.ts'
import { toNodeKey } from '../nodes/node-key.ts'
import type { Viewer } from '../nodes/policy.ts'
import { editEach } from './edit-each.pg.ts'
import { type HeatedNodeRow, listHeatedNodes, readHeatedNodes, saveEmitter } from './emitters.pg.ts'

/** Lists and saves the heat emitters of nodes. */
export interface EmitterEditor {
  list(query: InputOf<typeof getHeatedNodes>, call: Call): Promise<OutputOf<typeof getHeatedNodes>>
  save(input: InputOf<typeof updateEmitters>, call: Call): Promise<OutputOf<typeof updateEmitters>>
}

function toAnswer(
  { permissions }: Viewer,
  { level, nestaddr, emitter, above, version, ...row }: HeatedNodeRow,
) {
  const mayEdit = updateEmitters.access.anyOf.some((permission) => permissions.has(permission))
  return {
    node: toNodeKey(row),
    level,
    nestaddr,
    version,
    ...(emitter ? { emitter } : {}),
    ...(!emitter && above ? { inherited: above } : {}),
    abilities: mayEdit ? ['edit' as const] : [],
  }
}

export const createEmitterEditor = (
  db: Database,
  network: Pick<NetworkService, 'resolveNodes'>,
): EmitterEditor => ({
  async list({ node, lowestLevel, limiter }, { caller }) {
    const paths = await network.resolveNodes(caller.scope, [node])
    const { rows, total } = await listHeatedNodes(db, caller.scope, paths, { lowestLevel, limiter })
    return { datalist: rows.map((row) => toAnswer(caller, row)), total }
  },

  async save({ items }, call) {
    const ids = await editEach(db, items, call, async (transaction, id, { emitter, version }) => {
      await lockNodeVersion(transaction, id, version)
      await saveEmitter(transaction, id, emitter)
    })
    return { datalist: (await readHeatedNodes(db, ids)).map((row) => toAnswer(call.caller, row)) }
  },
})
