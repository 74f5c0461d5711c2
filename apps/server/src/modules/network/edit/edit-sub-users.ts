import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network/vausers'
import { treeLevels } from '@isotherm/contract/tree'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { GuardPlaces } from '../../../platform/guard-places.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NetworkService } from '../answers/service.ts'
import { type LockedNode, lockNodes, lockNodeVersion, pickNode, readParent } from '../nodes/lock-tree.pg.ts'
import { checkPlace } from '../nodes/place-rules.ts'
import { findSubUser, listIdsOfSubUser } from '../nodes/read-nodes.pg.ts'
import { parentPathOf, signalStructure } from '../nodes/signal-structure.pg.ts'
import { increaseVersion, saveAddresses, saveAreas } from './write-addresses.pg.ts'
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

/** Adds, edits, moves and removes sub-users (buildings) with their addresses. */
export interface SubUserEditor {
  add(input: InputOf<typeof api.addSubUser>, call: Call): Promise<OutputOf<typeof api.addSubUser>>
  edit(input: InputOf<typeof api.editSubUser>, call: Call): Promise<OutputOf<typeof api.editSubUser>>
  remove(input: InputOf<typeof api.deleteVauser>, call: Call): Promise<OutputOf<typeof api.deleteVauser>>
}

const SUB_USER = { kind: 'sub-user', level: treeLevels.building } as const

export function createSubUserEditor(
  db: Database,
  network: Pick<NetworkService, 'listSubUsers'>,
  guardPlaces: GuardPlaces,
): SubUserEditor {
  async function toAnswer(uuid: string, { caller }: Call) {
    const filter = [{ field: 'uuid', cond: 'eq', vstd: uuid } as const]
    const { datalist } = await network.listSubUsers(caller, { filter, limiter: { page: 1, size: 1 } })
    const [answer] = datalist
    if (!answer) throw new AppError('node.not-found')
    return answer
  }

  /** Locks the tree and returns the sub-user and the parent it gets. */
  async function lockSubUser(
    transaction: Transaction<Tables>,
    { scope }: Caller,
    uuid: string,
    parentId?: number,
  ): Promise<{ readonly node: LockedNode; readonly above: LockedNode }> {
    const id = await findSubUser(transaction, uuid)
    const named = await lockNodes(transaction, scope, parentId === undefined ? [id] : [id, parentId])
    const node = pickNode(named, id)
    // If the parent stays the same it may be outside the scope: a caller who is granted a building may rename it.
    return {
      node,
      above: parentId === undefined ? await readParent(transaction, node) : pickNode(named, parentId),
    }
  }

  return {
    async add({ name, parentId, addrlist, areas, test }, call) {
      const uuid = randomUUID()
      await operate(db, call.operation, async (transaction) => {
        const above = pickNode(await lockNodes(transaction, call.caller.scope, [parentId]), parentId)
        checkPlace({ ...SUB_USER, name }, above)
        const id = await reserveNodeId(transaction)
        const { companyId } = above
        const places = await findPlaces(transaction, toParent(above), [name])
        const [path, nestaddr] = [`${above.path}${id}/`, `${above.nestaddr},${name}`]
        const sortPath = placeOf(places, name)
        await insertNodes(transaction, companyId, [
          {
            id,
            company_id: companyId,
            key: toOwnKey(id),
            parent_id: parentId,
            ...SUB_USER,
            name,
            uuid,
            path,
            nestaddr,
            sort_path: sortPath,
            is_test: test,
          },
        ])
        const building = { companyId, id, uuid, path, nestaddr, sortPath }
        await saveAddresses(transaction, building, addrlist)
        await saveAreas(transaction, building, areas)
        await signalStructure(transaction, companyId, [above.path])
      })
      return toAnswer(uuid, call)
    },

    async edit({ uuid, version, parentId, addrlist, areas, ...given }, call) {
      await operate(db, call.operation, async (transaction) => {
        const { node, above } = await lockSubUser(transaction, call.caller, uuid, parentId)
        await lockNodeVersion(transaction, node.id, version)
        const name = given.name ?? node.name
        checkPlace({ ...SUB_USER, name }, above)
        const requireInPlace = await guardPlaces(transaction)
        const path = await rewriteNode(transaction, node, {
          parent: toParent(above),
          name,
          level: node.level,
          isTest: given.test,
        })
        await requireInPlace()
        const [moved] = (await lockNodes(transaction, call.caller.scope, [node.id])).values()
        if (!moved) throw new AppError('node.not-found')
        const building = { ...moved, uuid }
        if (addrlist) await saveAddresses(transaction, building, addrlist)
        await saveAreas(transaction, building, areas)
        if (addrlist || areas.length > 0) await increaseVersion(transaction, node.id)
        const children = addrlist ? [path] : []
        await signalStructure(transaction, node.companyId, [parentPathOf(node.path), above.path, ...children])
        if (path !== node.path) await signalRegistry(transaction, { kind: 'below', paths: [path] })
      })
      return toAnswer(uuid, call)
    },

    async remove({ uuid, version }, { caller, operation }) {
      await operate(db, operation, async (transaction) => {
        const { node, above } = await lockSubUser(transaction, caller, uuid)
        await lockNodeVersion(transaction, node.id, version)
        await deleteNodes(transaction, node.companyId, await listIdsOfSubUser(transaction, uuid))
        await signalStructure(transaction, node.companyId, [above.path])
      })
      return {}
    },
  }
}
