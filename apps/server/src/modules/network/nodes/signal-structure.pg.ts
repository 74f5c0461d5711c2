import type { Transaction } from 'kysely'
import { ROOT_PATH } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { toPayload } from './structure-signal.ts'

/** Path of the parent of the node at `path`, '/' for a project. */
export const parentPathOf = (path: string): string => path.replace(/[^/]+\/$/, '') || ROOT_PATH

/** Signals to all replicas, at the end of the transaction, which parents have changed children. */
export async function signalStructure(
  transaction: Transaction<Tables>,
  companyId: number,
  paths: readonly string[],
): Promise<void> {
  await toSignal('structure_changed', toPayload({ companyId, paths: [...new Set(paths)] })).execute(
    transaction,
  )
}
