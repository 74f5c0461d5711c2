import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { toSignal } from '../../platform/signals/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import { syncTreeNames, toPayload } from '../network/index.ts'
import { COMPANY_NAME, type CompanyOrder, listCompany } from './company.ts'
import { createSubAccounts } from './sub-accounts.pg.ts'
import { createLinking, type DeviceRow, writeDevices } from './write-devices.pg.ts'
import { createPlacing, type PlacedRow, reserveIds, writeNodes } from './write-nodes.pg.ts'

/** A company cannot be generated. The message is one line for the user of the command. */
export class SeedRefused extends Error {
  override readonly name = 'SeedRefused'
}

export interface SeedOrder extends CompanyOrder {
  /** Name of the company in MQTT topics. */
  readonly tenant: string
  /** Password hash of all its accounts. */
  readonly passwordHash: string
}

export interface SeededCompany {
  readonly companyId: number
  readonly nodes: number
  readonly devices: number
}

/** Rows per statement. */
const BATCH = 5_000
/** Statement timeout: names and statistics of a large company take longer than the default of 20 s. */
const STATEMENT_LIMIT_MS = 15 * 60 * 1000

async function addCompany(db: Transaction<Tables>, tenant: string): Promise<number> {
  const added = await db
    .insertInto('company')
    .values({ tenant, name: COMPANY_NAME, time_zone: 'Asia/Shanghai' })
    .onConflict((conflict) => conflict.column('tenant').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw new SeedRefused(`company "${tenant}" already exists; give another one with --tenant`)
  return added.id
}

/** Generates and stores the company in batches, so that it is never in memory as a whole. */
async function writeCompany(
  db: Transaction<Tables>,
  companyId: number,
  order: SeedOrder,
  onProgress: (nodes: number, devices: number) => void,
): Promise<Omit<SeededCompany, 'companyId'>> {
  const place = createPlacing(order.tenant)
  const link = createLinking()
  const total = { nodes: 0, devices: 0 }
  let nodes: PlacedRow[] = []
  let devices: DeviceRow[] = []
  let nodeIds: Iterator<number> = [].values()
  let deviceIds: Iterator<number> = [].values()

  async function reserveNodeId(): Promise<number> {
    const next = nodeIds.next()
    if (!next.done) return next.value
    nodeIds = (await reserveIds(db, 'node', BATCH)).values()
    return reserveNodeId()
  }
  async function reserveDeviceId(): Promise<number> {
    const next = deviceIds.next()
    if (!next.done) return next.value
    deviceIds = (await reserveIds(db, 'device', BATCH)).values()
    return reserveDeviceId()
  }
  async function flush(): Promise<void> {
    await writeNodes(db, companyId, nodes)
    await writeDevices(db, companyId, devices)
    total.nodes += nodes.length
    total.devices += devices.length
    nodes = []
    devices = []
    onProgress(total.nodes, total.devices)
  }

  for (const node of listCompany(order)) {
    const placed = place(node, await reserveNodeId())
    nodes.push(placed)
    for (const device of node.devices) devices.push(link(device, await reserveDeviceId(), placed.id))
    if (nodes.length >= BATCH || devices.length >= BATCH) await flush()
  }
  await flush()
  return total
}

/**
 * Generates and stores a company with its tree, devices and accounts in one transaction, and signals the change.
 * `onProgress` is called after each batch. Throws SeedRefused if the tenant already has a company.
 */
export async function seedCompany(
  db: Database,
  order: SeedOrder,
  onProgress: (nodes: number, devices: number) => void = () => undefined,
): Promise<SeededCompany> {
  const seeded = await db.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(STATEMENT_LIMIT_MS)}, true)`.execute(
      transaction,
    )
    const companyId = await addCompany(transaction, order.tenant)
    const total = await writeCompany(transaction, companyId, order, onProgress)
    await syncTreeNames(transaction, companyId)
    await createSubAccounts(transaction, { id: companyId, tenant: order.tenant }, order.passwordHash)
    await toSignal('structure_changed', toPayload({ companyId, paths: [] })).execute(transaction)
    await toSignal('registry_changed', '').execute(transaction)
    return { companyId, ...total }
  })
  await refreshStatistics(db)
  return seeded
}

/** Updates the planner statistics; until then the planner assumes small tables. */
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
