import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { toSignal } from '../../platform/signals/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { syncTreeNames, toPayload } from '../network/index.ts'
import { COMPANY_NAME, type CompanyOrder, listCompany } from './company.ts'
import { createSubAccounts } from './sub-accounts.pg.ts'
import { createLinking, type DeviceRow, writeDevices } from './write-devices.pg.ts'
import { createPlacing, type PlacedRow, takeIds, writeNodes } from './write-nodes.pg.ts'

/** A reason not to make a company, in one line for the person who asked for it. */
export class SeedRefused extends Error {
  override readonly name = 'SeedRefused'
}

export interface SeedOrder extends CompanyOrder {
  /** Name of the company in MQTT topics. */
  readonly tenant: string
  /** Hash of the accounts' password. */
  readonly passwordHash: string
}

export interface SeededCompany {
  readonly companyId: number
  readonly nodes: number
  readonly devices: number
}

/** Rows that one statement stores. */
const BATCH = 5_000
/** Names and statistics of a large company take longer than the 20 s that any other statement may. */
const STATEMENT_LIMIT_MS = 15 * 60 * 1000

async function addCompany(db: Transaction<Tables>, tenant: string): Promise<number> {
  const added = await db
    .insertInto('company')
    .values({ tenant, name: COMPANY_NAME, time_zone: 'Asia/Shanghai' })
    .onConflict((conflict) => conflict.column('tenant').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw new SeedRefused(`there is a company "${tenant}" already; name another with --tenant`)
  return added.id
}

/** Stores the made company in batches; nothing of it is kept in memory. */
async function writeCompany(
  db: Transaction<Tables>,
  companyId: number,
  order: SeedOrder,
  tell: (nodes: number, devices: number) => void,
): Promise<Omit<SeededCompany, 'companyId'>> {
  const place = createPlacing(order.tenant)
  const link = createLinking()
  const total = { nodes: 0, devices: 0 }
  let nodes: PlacedRow[] = []
  let devices: DeviceRow[] = []
  let nodeIds: Iterator<number> = [].values()
  let deviceIds: Iterator<number> = [].values()

  async function takeNodeId(): Promise<number> {
    const next = nodeIds.next()
    if (!next.done) return next.value
    nodeIds = (await takeIds(db, 'node', BATCH)).values()
    return takeNodeId()
  }
  async function takeDeviceId(): Promise<number> {
    const next = deviceIds.next()
    if (!next.done) return next.value
    deviceIds = (await takeIds(db, 'device', BATCH)).values()
    return takeDeviceId()
  }
  async function flush(): Promise<void> {
    await writeNodes(db, companyId, nodes)
    await writeDevices(db, companyId, devices)
    total.nodes += nodes.length
    total.devices += devices.length
    nodes = []
    devices = []
    tell(total.nodes, total.devices)
  }

  for (const node of listCompany(order)) {
    const placed = place(node, await takeNodeId())
    nodes.push(placed)
    for (const device of node.devices) devices.push(link(device, await takeDeviceId(), placed.id))
    if (nodes.length >= BATCH || devices.length >= BATCH) await flush()
  }
  await flush()
  return total
}

/**
 * Makes a company with its tree, devices and accounts, all of it or nothing, and tells whoever listens. `tell`
 * hears of the progress. Throws SeedRefused when the tenant has a company already.
 */
export async function seedCompany(
  db: Database,
  order: SeedOrder,
  tell: (nodes: number, devices: number) => void = () => undefined,
): Promise<SeededCompany> {
  const seeded = await db.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(STATEMENT_LIMIT_MS)}, true)`.execute(
      transaction,
    )
    const companyId = await addCompany(transaction, order.tenant)
    const total = await writeCompany(transaction, companyId, order, tell)
    await syncTreeNames(transaction, companyId)
    await createSubAccounts(transaction, { id: companyId, tenant: order.tenant }, order.passwordHash)
    await toSignal('structure_changed', toPayload({ companyId, paths: [] })).execute(transaction)
    await toSignal('registry_changed', '').execute(transaction)
    return { companyId, ...total }
  })
  await refreshStatistics(db)
  return seeded
}

/** Tells the planner of what is new; until then it takes the company for a small one. */
const refreshStatistics = (db: Database): Promise<void> =>
  db.connection().execute(async (connection) => {
    await sql`select set_config('statement_timeout', ${String(STATEMENT_LIMIT_MS)}, false)`.execute(
      connection,
    )
    try {
      await sql`vacuum (analyze) node, device, tree_name, subdivision, node_gis`.execute(connection)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
