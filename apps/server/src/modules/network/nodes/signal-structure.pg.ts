import type { Transaction } from 'kysely'
import { ROOT_PATH } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { toPayload } from './structure-signal.ts'

/** Path of the node above that at `path`, '/' above a project. */
export const parentPathOf = (path: string): string => path.replace(/[^/]+\/$/, '') || ROOT_PATH

/** Tells whoever listens, when the transaction ends, below which parents the children changed. */
export async function signalStructure(
  transaction: Transaction<Tables>,
  companyId: number,
  paths: readonly string[],
): Promise<void> {
  await toSignal('structure_changed', toPayload({ companyId, paths: [...new Set(paths)] })).execute(
    transaction,
  )
}
