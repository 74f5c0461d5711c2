import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network/groups'
import { AppError } from '../../../platform/app-error.ts'
import type { GuardPlaces } from '../../../platform/guard-places.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import { lockNodes, lockNodeVersion, pickNode, readParent } from '../nodes/lock-tree.pg.ts'
import { checkPlace } from '../nodes/place-rules.ts'
import { toNodeAbilities } from '../nodes/policy.ts'
import { findHighestBelow, readGroup } from '../nodes/read-nodes.pg.ts'
import { parentPathOf, signalStructure } from '../nodes/signal-structure.pg.ts'
import {
  deleteNodes,
  findPlaces,
  insertNodes,
  placeOf,
  reserveNodeId,
  rewriteNode,
  toOwnKey,
  toParent,
} from './write-nodes.pg.ts'

/** Adds, edits, moves and removes groups. Each call is one transaction with an entry in the operation log. */
export interface GroupEditor {
  add(input: InputOf<typeof api.addDevGroup>, call: Call): Promise<OutputOf<typeof api.addDevGroup>>
  edit(input: InputOf<typeof api.editDevGroup>, call: Call): Promise<OutputOf<typeof api.editDevGroup>>
  remove(
    input: InputOf<typeof api.deleteDevGroups>,
    call: Call,
  ): Promise<OutputOf<typeof api.deleteDevGroups>>
}

export function createGroupEditor(db: Database, guardPlaces: GuardPlaces): GroupEditor {
  async function toAnswer(id: number, { caller }: Call) {
    const { name, path, kind, parentId, level, description, version } = await readGroup(db, id)
    const projectId = Number(path.split('/')[1])
    const abilities = toNodeAbilities(caller, { path, kind })
    return { id, title: name, level, parentId, projectId, description, version, abilities }
  }

  return {
    async add({ parentId, title: name, level, description }, call) {
      const id = await operate(db, call.operation, async (transaction) => {
        const above = pickNode(await lockNodes(transaction, call.caller.scope, [parentId]), parentId)
        checkPlace({ name, level, kind: 'group' }, above)
        const newId = await reserveNodeId(transaction)
        const places = await findPlaces(transaction, toParent(above), [name])
        await insertNodes(transaction, above.companyId, [
          {
            id: newId,
            company_id: above.companyId,
            key: toOwnKey(newId),
            parent_id: parentId,
            kind: 'group',
            level,
            name,
            description,
            path: `${above.path}${newId}/`,
            nestaddr: `${above.nestaddr},${name}`,
            sort_path: placeOf(places, name),
          },
        ])
        await signalStructure(transaction, above.companyId, [above.path])
        return newId
      })
      return toAnswer(id, call)
    },

    async edit({ id, version, parentId, ...given }, call) {
      await operate(db, call.operation, async (transaction) => {
        const requested = parentId === undefined ? [id] : [id, parentId]
        const named = await lockNodes(transaction, call.caller.scope, requested)
        const node = pickNode(named, id)
        if (node.kind !== 'group' || node.parentId === null) throw new AppError('node.not-found')
        await lockNodeVersion(transaction, id, version)
        // If the parent stays the same it may be outside the scope: a caller who is granted a group may rename it.
        const above = parentId === undefined ? await readParent(transaction, node) : pickNode(named, parentId)
        const edited = { ...node, name: given.title ?? node.name, level: given.level ?? node.level }
        if (above.path.startsWith(node.path)) throw new AppError('node.bad-place', { detail: edited.name })
        checkPlace(edited, above)
        const highest = await findHighestBelow(transaction, id)
        if (highest) checkPlace(highest, edited)
        const requireInPlace = await guardPlaces(transaction)
        const path = await rewriteNode(transaction, node, {
          parent: toParent(above),
          name: edited.name,
          level: edited.level,
          description: given.description,
        })
        await requireInPlace()
        await signalStructure(transaction, node.companyId, [parentPathOf(node.path), above.path])
        if (path !== node.path) await signalRegistry(transaction, { kind: 'below', paths: [path] })
      })
      return toAnswer(id, call)
    },

    async remove({ items }, { caller, operation }) {
      await operate(db, operation, async (transaction) => {
        const ids = items.map(({ id }) => id)
        const nodes = await lockNodes(transaction, caller.scope, ids)
        for (const { id, version } of items) {
          if (pickNode(nodes, id).kind !== 'group') throw new AppError('node.not-found')
          await lockNodeVersion(transaction, id, version)
        }
        const companyId = pickNode(nodes, ids[0] ?? 0).companyId
        await deleteNodes(transaction, companyId, ids)
        await signalStructure(
          transaction,
          companyId,
          [...nodes.values()].map(({ path }) => parentPathOf(path)),
        )
      })
      return {}
    },
  }
}
