import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type * as api from '@isotherm/contract/endpoints/network/subdivisions'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { NetworkService } from '../answers/service.ts'
import { type LockedNode, lockNodes, pickNode } from '../nodes/lock-tree.pg.ts'
import { parentPathOf, signalStructure } from '../nodes/signal-structure.pg.ts'
import { deleteMark, insertMark, updateMark } from './write-subdivisions.pg.ts'

/** Marks projects and groups with a subdivision type. */
export interface SubdivisionEditor {
  add(input: InputOf<typeof api.addSubdivision>, call: Call): Promise<OutputOf<typeof api.addSubdivision>>
  edit(input: InputOf<typeof api.editSubdivision>, call: Call): Promise<OutputOf<typeof api.editSubdivision>>
  remove(
    input: InputOf<typeof api.deleteSubdivision>,
    call: Call,
  ): Promise<OutputOf<typeof api.deleteSubdivision>>
}

export function createSubdivisionEditor(
  db: Database,
  network: Pick<NetworkService, 'listSubdivisions'>,
): SubdivisionEditor {
  async function toAnswer(sid: string, { caller }: Call) {
    const filter = [{ field: 'sid', cond: 'eq', vstd: sid } as const]
    const { datalist } = await network.listSubdivisions(caller, { filter, limiter: { page: 1, size: 1 } })
    const [answer] = datalist
    if (!answer) throw new AppError('node.not-found')
    return answer
  }

  /** Changes the mark of a group in its locked tree and signals the change. */
  const change = (sid: string, call: Call, work: (db: Transaction<Tables>, node: LockedNode) => unknown) =>
    operate(db, call.operation, async (transaction) => {
      const id = Number(sid)
      const node = pickNode(await lockNodes(transaction, call.caller.scope, [id]), id)
      if (node.kind !== 'project' && node.kind !== 'group') throw new AppError('node.not-found')
      await work(transaction, node)
      await signalStructure(transaction, node.companyId, [parentPathOf(node.path)])
    })

  async function lockMark(transaction: Transaction<Tables>, id: number, version: number): Promise<void> {
    const mark = { table: 'subdivision', entity: 'subdivision', id, version } as const
    if (!(await lockVersion(transaction, mark))) throw new AppError('node.not-found')
  }

  return {
    async add({ sid, stype }, call) {
      await change(sid, call, (transaction, { id }) => insertMark(transaction, id, stype))
      return toAnswer(sid, call)
    },
    async edit({ sid, stype, version }, call) {
      await change(sid, call, async (transaction, { id }) => {
        await lockMark(transaction, id, version)
        await updateMark(transaction, id, stype)
      })
      return toAnswer(sid, call)
    },
    async remove({ sid, version }, call) {
      await change(sid, call, async (transaction, { id }) => {
        await lockMark(transaction, id, version)
        await deleteMark(transaction, id)
      })
      return {}
    },
  }
}
