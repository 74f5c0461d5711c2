import type { Permission } from '@isotherm/contract/access/permissions'
import { type FindAccess, findCaller, reader } from '../../../platform/caller-of-account.ts'
import type { Call } from '../../../platform/http/call.ts'
import { type Operation, toSystemOperation } from '../../../platform/operation/operation.ts'
import { covers } from '../../../platform/scope/scope.ts'
import type { StoredRun } from '../storage/runs.pg.ts'
import type { StoredSource } from '../storage/sources.pg.ts'

const needed: readonly Permission[] = ['pe-irrigation', 'pe-irrgrpsx']

type Actor = Pick<Call, 'caller' | 'operation'>

export const toOperation = (run: StoredRun, companyId: number, at: number): Operation => ({
  ...toSystemOperation('irrigation', at),
  accountId: run.accountId ?? undefined,
  account: run.account,
  companyId,
  input: { runId: run.id },
})

/** A call of the account of a run with its present rights; undefined if they are no longer sufficient to open valves. */
export async function actFor(
  findAccess: FindAccess,
  source: StoredSource,
  run: StoredRun,
  at: number,
): Promise<Actor | undefined> {
  const caller = await findCaller(findAccess, run)
  if (!caller || !needed.some((one) => caller.permissions.has(one)) || !covers(caller.scope, source.path))
    return undefined
  return { caller, operation: toOperation(run, source.companyId, at) }
}

/** A call that closes valves. It is always allowed, even if the account of the run was disabled or deleted. */
export const actToClose = (source: StoredSource, run: StoredRun, at: number): Actor => ({
  caller: { ...reader, accountId: run.accountId ?? 0, account: run.account },
  operation: toOperation(run, source.companyId, at),
})
