import { deviceKind } from '@isotherm/contract/devices'
import type { Permission } from '@isotherm/contract/permissions'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isSameScope, type Scope } from '../../../platform/scope/scope.ts'
import { mayManage } from '../../devices/index.ts'
import { openStoredFile } from '../runs/file-store.pg.ts'
import { hold, proceed } from '../runs/lease.pg.ts'
import { countVerdicts, noteRead } from '../runs/progress.pg.ts'
import { type ReadRow, readRows } from '../sheets/read-rows.ts'
import { checkDevices, checkModels } from './check-devices.pg.ts'
import { checkPipes } from './check-pipes.pg.ts'
import { checkStructure, type Run } from './check-structure.pg.ts'
import { type HeldRun, NoLongerAllowed } from './runner.ts'
import {
  allowLongStatements,
  analyseStaging,
  clearStaging,
  type OpenSheets,
  stageRows,
} from './staging.pg.ts'
import { storeRows } from './store-rows.pg.ts'

/** What an account may do now. */
export interface AccountAccess {
  readonly companyId: number | undefined
  readonly permissions: ReadonlySet<Permission>
  readonly scope: Scope
}

/** undefined for an account that is gone or disabled. */
export type FindAccess = (accountId: number) => Promise<AccountAccess | undefined>

const ROWS_PER_BATCH = 1_000

const toManaged = (access: AccountAccess): Run['managed'] =>
  deviceKind.options.filter((kind) => mayManage(access, kind))

/** The sheets an account may import: the tree is one page's, each kind of devices and its models another's. */
function toOpenSheets(access: AccountAccess): OpenSheets {
  return new Set([
    ...(access.permissions.has('ps-oraigionsys') ? (['structure', 'pipes'] as const) : []),
    ...(toManaged(access).length > 0 ? (['devices', 'models'] as const) : []),
  ])
}

async function needAccess(findAccess: FindAccess, { transfer }: HeldRun): Promise<AccountAccess> {
  const access = await findAccess(transfer.accountId)
  const isOwn = access && (access.companyId === undefined || access.companyId === transfer.companyId)
  if (!isOwn || toOpenSheets(access).size === 0) throw new NoLongerAllowed()
  return access
}

const toRun = ({ transfer }: HeldRun, access: AccountAccess): Run => ({
  id: transfer.id,
  companyId: transfer.companyId ?? 0,
  scope: access.scope,
  isProvider: access.companyId === undefined,
  managed: toManaged(access),
})

async function readFile(db: Database, held: HeldRun, open: OpenSheets): Promise<void> {
  const { id, sizeBytes } = held.transfer
  let batch: ReadRow[] = []
  let total = 0
  const stage = async (): Promise<void> => {
    total += batch.length
    await db.transaction().execute(async (transaction) => {
      await hold(transaction, id, held.worker)
      await stageRows(transaction, id, open, batch)
      await noteRead(transaction, id, total)
    })
    batch = []
    await held.onBatch()
  }
  for await (const row of readRows(openStoredFile(db, id, sizeBytes))) {
    batch.push(row)
    if (batch.length >= ROWS_PER_BATCH) await stage()
  }
  if (batch.length > 0) await stage()
}

async function check(db: Database, held: HeldRun, access: AccountAccess): Promise<void> {
  const { id, dryRun } = held.transfer
  await db.transaction().execute(async (transaction) => {
    await hold(transaction, id, held.worker)
    await clearStaging(transaction, id)
  })
  await readFile(db, held, toOpenSheets(access))
  await analyseStaging(db)
  const run = toRun(held, access)
  await db.transaction().execute(async (transaction) => {
    await allowLongStatements(transaction)
    await checkModels(transaction, run)
    await checkStructure(transaction, run)
    await checkDevices(transaction, run)
    await checkPipes(transaction, run)
    await countVerdicts(transaction, id, !dryRun)
    await proceed(transaction, id, held.worker, dryRun ? 'checked' : 'cleared')
  })
  await held.onBatch()
}

/** All paths that were granted still are; who added a project is granted more than before. */
const isStillGranted = (before: Scope, now: Scope): boolean =>
  isSameScope(before, now) ||
  now.kind === 'all' ||
  (before.kind === 'paths' && before.paths.every((path) => now.paths.includes(path)))

async function store(db: Database, held: HeldRun, findAccess: FindAccess): Promise<void> {
  const access = await needAccess(findAccess, held)
  const { id, accountId, operationId } = held.transfer
  if (operationId === null) throw new Error(`the import ${id} belongs to no operation`)
  let now = access
  await storeRows(db, {
    ...toRun(held, access),
    accountId,
    operationId,
    worker: held.worker,
    // Who adds a project is granted it while the run goes on.
    get scope() {
      return now.scope
    },
    async onBatch() {
      now = await needAccess(findAccess, held)
      const open = toOpenSheets(now)
      const managed = toManaged(now)
      const isSame =
        [...toOpenSheets(access)].every((sheet) => open.has(sheet)) &&
        toManaged(access).every((kind) => managed.includes(kind))
      if (!isSame || !isStillGranted(access.scope, now.scope)) throw new NoLongerAllowed()
      await held.onBatch()
    },
  })
  await proceed(db, id, held.worker, 'imported')
}

/** Does all that is left of a run: one that was importing goes on where it was left. */
export async function workOn(db: Database, findAccess: FindAccess, held: HeldRun): Promise<void> {
  if (held.transfer.state === 'checking') {
    await check(db, held, await needAccess(findAccess, held))
    if (held.transfer.dryRun) return
  }
  await store(db, held, findAccess)
}
