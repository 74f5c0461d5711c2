import type { Permission } from '@isotherm/contract/access/permissions'
import { deviceKind } from '@isotherm/contract/devices'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isSameScope, type Scope } from '../../../platform/scope/scope.ts'
import { mayManage } from '../../devices/index.ts'
import type { SettingsWriter } from '../../irrigation/index.ts'
import { openStoredFile } from '../runs/file-store.pg.ts'
import { lockRun, proceed } from '../runs/lease.pg.ts'
import { countVerdicts, saveReadCount } from '../runs/progress.pg.ts'
import { type ReadRow, readRows } from '../sheets/read-rows.ts'
import { checkDevices, checkModels } from './check-devices.pg.ts'
import { checkIrrigation } from './check-irrigation.pg.ts'
import { checkPipes } from './check-pipes.pg.ts'
import { checkStructure, type Run } from './check-structure.pg.ts'
import { type ClaimedRun, NoLongerAllowed } from './runner.ts'
import {
  allowLongStatements,
  analyseStaging,
  clearStaging,
  type OpenSheets,
  stageRows,
} from './staging.pg.ts'
import { storeRows } from './store-rows.pg.ts'

/** The current rights of an account. */
export interface AccountAccess {
  readonly companyId: number | undefined
  readonly permissions: ReadonlySet<Permission>
  readonly scope: Scope
}

/** Returns undefined for an account that does not exist or is disabled. */
export type FindAccess = (accountId: number) => Promise<AccountAccess | undefined>

const ROWS_PER_BATCH = 1_000

const toManaged = (access: AccountAccess): Run['managed'] =>
  deviceKind.options.filter((kind) => mayManage(access, kind))

/** What an import uses. */
export interface ImportNeeds {
  readonly db: Database
  readonly findAccess: FindAccess
  readonly irrigation: SettingsWriter
}

/** The sheets an account may import: the tree, the devices with their models, and irrigation need different permissions. */
function toOpenSheets(access: AccountAccess): OpenSheets {
  return new Set([
    ...(access.permissions.has('ps-oraigionsys') ? (['structure', 'pipes'] as const) : []),
    ...(toManaged(access).length > 0 ? (['devices', 'models'] as const) : []),
    ...(access.permissions.has('pe-irrigation')
      ? (['irrigation-sources', 'irrigation-groups'] as const)
      : []),
  ])
}

async function requireAccess(findAccess: FindAccess, { transfer }: ClaimedRun): Promise<AccountAccess> {
  const access = await findAccess(transfer.accountId)
  const isOwn = access && (access.companyId === undefined || access.companyId === transfer.companyId)
  if (!isOwn || toOpenSheets(access).size === 0) throw new NoLongerAllowed()
  return access
}

const toRun = ({ transfer }: ClaimedRun, access: AccountAccess): Run => ({
  id: transfer.id,
  companyId: transfer.companyId ?? 0,
  scope: access.scope,
  isProvider: access.companyId === undefined,
  permissions: access.permissions,
  managed: toManaged(access),
})

async function readFile(db: Database, claimed: ClaimedRun, open: OpenSheets): Promise<void> {
  const { id, sizeBytes } = claimed.transfer
  let batch: ReadRow[] = []
  let total = 0
  const stage = async (): Promise<void> => {
    total += batch.length
    await db.transaction().execute(async (transaction) => {
      await lockRun(transaction, id, claimed.worker)
      await stageRows(transaction, id, open, batch)
      await saveReadCount(transaction, id, total)
    })
    batch = []
    await claimed.onBatch()
  }
  for await (const row of readRows(openStoredFile(db, id, sizeBytes))) {
    batch.push(row)
    if (batch.length >= ROWS_PER_BATCH) await stage()
  }
  if (batch.length > 0) await stage()
}

async function check(
  { db, irrigation }: ImportNeeds,
  claimed: ClaimedRun,
  access: AccountAccess,
): Promise<void> {
  const { id, dryRun } = claimed.transfer
  await db.transaction().execute(async (transaction) => {
    await lockRun(transaction, id, claimed.worker)
    await clearStaging(transaction, id)
  })
  await readFile(db, claimed, toOpenSheets(access))
  await analyseStaging(db)
  const run = toRun(claimed, access)
  await db.transaction().execute(async (transaction) => {
    await allowLongStatements(transaction)
    await checkModels(transaction, run)
    await checkStructure(transaction, run)
    await checkDevices(transaction, run)
    await checkPipes(transaction, run)
    await checkIrrigation(transaction, run, irrigation)
    await countVerdicts(transaction, id, !dryRun)
    await proceed(transaction, id, claimed.worker, dryRun ? 'checked' : 'cleared')
  })
  await claimed.onBatch()
}

/** Whether all paths granted before still are. An import that added a project has a larger scope than before. */
const isStillGranted = (before: Scope, now: Scope): boolean =>
  isSameScope(before, now) ||
  now.kind === 'all' ||
  (before.kind === 'paths' && before.paths.every((path) => now.paths.includes(path)))

async function store({ db, findAccess, irrigation }: ImportNeeds, claimed: ClaimedRun): Promise<void> {
  const access = await requireAccess(findAccess, claimed)
  const { id, accountId, operationId } = claimed.transfer
  if (operationId === null) throw new Error(`the import ${id} has no operation`)
  let now = access
  await storeRows(db, {
    ...toRun(claimed, access),
    accountId,
    operationId,
    worker: claimed.worker,
    irrigation,
    // A run that adds a project gets the grant while it continues.
    get scope() {
      return now.scope
    },
    get permissions() {
      return now.permissions
    },
    async onBatch() {
      await claimed.onBatch()
      now = await requireAccess(findAccess, claimed)
      const open = toOpenSheets(now)
      const managed = toManaged(now)
      const isSame =
        [...toOpenSheets(access)].every((sheet) => open.has(sheet)) &&
        toManaged(access).every((kind) => managed.includes(kind))
      if (!isSame || !isStillGranted(access.scope, now.scope)) throw new NoLongerAllowed()
    },
  })
  await proceed(db, id, claimed.worker, 'imported')
}

/** Runs an import to its end. An interrupted import continues after its last stored batch. */
export async function runImport(needs: ImportNeeds, claimed: ClaimedRun): Promise<void> {
  if (claimed.transfer.state === 'checking') {
    await check(needs, claimed, await requireAccess(needs.findAccess, claimed))
    if (claimed.transfer.dryRun) return
  }
  await store(needs, claimed)
}
