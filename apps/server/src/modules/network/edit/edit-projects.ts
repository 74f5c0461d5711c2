import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network/projects'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { ROOT_PATH, seesEverything } from '../../../platform/scope/scope.ts'
import { findOnlyCompany, grantToAccount } from '../nodes/company.pg.ts'
import { lockCompany, lockNodes, lockNodeVersion, pickNode } from '../nodes/lock-tree.pg.ts'
import { toNodeAbilities } from '../nodes/policy.ts'
import { readProject } from '../nodes/read-nodes.pg.ts'
import { signalStructure } from '../nodes/signal-structure.pg.ts'
import {
  deleteNodes,
  findPlaces,
  insertNodes,
  placeOf,
  reserveNodeId,
  rewriteNode,
  toNoParent,
  toOwnKey,
} from './write-nodes.pg.ts'

/** Adds, edits and removes projects. Each call is one transaction with an entry in the operation log. */
export interface ProjectEditor {
  add(input: InputOf<typeof api.addProject>, call: Call): Promise<OutputOf<typeof api.addProject>>
  edit(input: InputOf<typeof api.editProject>, call: Call): Promise<OutputOf<typeof api.editProject>>
  remove(input: InputOf<typeof api.deleteProject>, call: Call): Promise<OutputOf<typeof api.deleteProject>>
}

export function createProjectEditor(db: Database): ProjectEditor {
  async function findCompany({ companyId, scope }: Caller, given: number | undefined): Promise<number> {
    const found = given ?? companyId ?? (await findOnlyCompany(db, scope))
    if (found === undefined) throw new AppError('request.malformed', { detail: 'companyId: is missing' })
    return found
  }

  async function toAnswer(id: number, { caller }: Call) {
    const { path, kind, name, ...row } = await readProject(db, id)
    const abilities = toNodeAbilities(caller, { path, kind })
    return { id, projectName: name, description: row.description, version: row.version, abilities }
  }

  return {
    async add({ projectName: name, description, companyId: given }, call) {
      const { caller, operation } = call
      const companyId = await findCompany(caller, given)
      const { id, path } = await operate(db, operation, async (transaction) => {
        if (!(await lockCompany(transaction, companyId))) throw new AppError('company.not-found')
        const newId = await reserveNodeId(transaction)
        const newPath = `${ROOT_PATH}${newId}/`
        const places = await findPlaces(transaction, toNoParent(companyId), [name])
        await insertNodes(transaction, companyId, [
          {
            id: newId,
            company_id: companyId,
            key: toOwnKey(newId),
            parent_id: null,
            kind: 'project',
            level: 1,
            name,
            description,
            path: newPath,
            nestaddr: name,
            sort_path: placeOf(places, name),
          },
        ])
        if (!seesEverything(caller.scope)) await grantToAccount(transaction, caller.accountId, newId)
        await signalStructure(transaction, companyId, [ROOT_PATH])
        return { id: newId, path: newPath }
      })
      // The new grant takes effect with the next call; the answer lists the abilities from then on.
      const scope =
        caller.scope.kind === 'all'
          ? caller.scope
          : ({ kind: 'paths', paths: [...caller.scope.paths, path] } as const)
      return toAnswer(id, { ...call, caller: { ...caller, scope } })
    },

    async edit({ id, version, projectName, description }, call) {
      await operate(db, call.operation, async (transaction) => {
        const node = pickNode(await lockNodes(transaction, call.caller.scope, [id]), id)
        if (node.kind !== 'project') throw new AppError('node.not-found')
        await lockNodeVersion(transaction, id, version)
        const parent = toNoParent(node.companyId)
        const name = projectName ?? node.name
        await rewriteNode(transaction, node, { parent, name, level: node.level, description })
        await signalStructure(transaction, node.companyId, [ROOT_PATH])
      })
      return toAnswer(id, call)
    },

    async remove({ id, version }, { caller, operation }) {
      await operate(db, operation, async (transaction) => {
        const node = pickNode(await lockNodes(transaction, caller.scope, [id]), id)
        if (node.kind !== 'project') throw new AppError('node.not-found')
        await lockNodeVersion(transaction, id, version)
        await deleteNodes(transaction, node.companyId, [id])
        await signalStructure(transaction, node.companyId, [ROOT_PATH])
      })
      return {}
    },
  }
}
