import { toUrlPath, WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { type Transfer, transfer } from '@isotherm/contract/transfer'
import { createTestClickhouse, createTestDatabase } from '@isotherm/engines/testkit'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../platform/log.ts'
import { createDatabase, type Database } from '../../../platform/postgres/database.pg.ts'
import { createRegistry } from '../../../testing/core.testkit.ts'
import { kill, startProcess } from '../../../testing/server-process.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { expectSoundTrees } from '../../network/tree-check.testkit.ts'
import { DEMO_PASSWORD, toClientHash } from '../../session/index.ts'
import { createWorkbook, joinBytes } from '../transfer.testkit.ts'

const BUILDINGS = 1_200
/** Nodes are stored in the order of their names: this one is in the second batch of a thousand. */
const HELD = '1100幢'
const WAIT = { timeout: 60_000, interval: 20 }
const AREA = { project: '集团', company: '公司', station: '一号站', residentialArea: '东区' }

const structure = Array.from({ length: BUILDINGS }, (_, index) => ({
  ...AREA,
  building: `${String(index).padStart(4, '0')}幢`,
}))

const issued = z.object({ data: z.object({ data: z.string() }).or(z.string()) })
const one = z.object({ data: transfer })
const page = z.object({ data: z.object({ datalist: z.array(transfer) }) })

/** Signs in at a newly started server; returns a function that calls its second backend. */
async function signIn(base: string) {
  const credentials = JSON.stringify({ username: 'admin', password: toClientHash(DEMO_PASSWORD) })
  const post = (path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(new URL(path, base), { method: 'POST', headers, body })
  const json = { 'Content-Type': 'application/json' }
  const first = await post(toUrlPath(endpoints.login), json, credentials)
  const Cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  const second = await post(toUrlPath(endpoints.tokenLogin), { ...json, Cookie }, credentials)
  const { data } = issued.parse(await second.json())
  const Authorization = `Bearer ${typeof data === 'string' ? data : data.data}`
  return {
    async upload(bytes: Uint8Array<ArrayBuffer>): Promise<Transfer> {
      const path = `${toUrlPath(endpoints.uploadTransfer)}?fileName=a.xlsx`
      const answer = await post(path, { Authorization, 'Content-Type': WORKBOOK_TYPE }, bytes)
      return one.parse(await answer.json()).data
    },
    async start({ id, version }: Transfer): Promise<Transfer> {
      const input = JSON.stringify({ transferId: id, version, dryRun: false })
      const answer = await post(toUrlPath(endpoints.excelAdd), { ...json, Authorization }, input)
      return one.parse(await answer.json()).data
    },
    async get(transferId: number): Promise<Transfer | undefined> {
      const input = JSON.stringify({ transferId })
      const answer = await post(toUrlPath(endpoints.getTransfers), { ...json, Authorization }, input)
      return page.parse(await answer.json()).data.datalist[0]
    },
  }
}

/** Number of other connections that are active, and of those that wait for a lock. */
async function findWork(db: Database) {
  const { rows } = await sql<{ working: number; waiting: number }>`
    select count(*) as working, count(*) filter (where wait_event_type = 'Lock') as waiting
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and state <> 'idle' and query ilike '%insert into "node"%'`.execute(db)
  return rows[0]
}

/** The stored buildings, how many additions the log contains, and in how many operations. */
async function countBuildings(db: Database) {
  const { rows } = await sql<{ stored: number; logged: number; operations: number }>`
    select count(distinct node.id) as stored, count(*) as logged, count(distinct change.operation_id) as operations
    from node join operation_change change on change.entity = 'node' and change.entity_id = node.id::text
      and change.action = 'added'
    where node.name like '%幢'`.execute(db)
  return rows[0]
}

/** Extends the lease of the killed server beyond the start of the next, even on a busy machine. */
const extendLeases = (db: Database) =>
  sql`update transfer set lease_until = now() + interval '1 hour' where worker is not null`.execute(db)

/** Ends the lease of the killed server. */
const expireLeases = (db: Database) =>
  sql`update transfer set lease_until = now() where worker is not null`.execute(db)

test('kill -9 during an import leaves complete batches; the next server stores the rest, and no row twice', {
  timeout: 240_000,
}, async () => {
  const [database, clickhouse] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  let running = await startProcess(database.url, clickhouse.url)
  try {
    await importRegistry(db, createRegistry())
    const bytes = await joinBytes(createWorkbook({ structure }))
    let client = await signIn(running.base)

    // A transaction that is adding a building of that name blocks the second batch.
    const { id } = await db.transaction().execute(async (holder) => {
      await sql`
        insert into node (company_id, key, parent_id, kind, level, name, uuid, path, nestaddr, sort_path)
        select company_id, 'held', id, 'sub-user', 6, ${HELD}, gen_random_uuid(), path || '999999/',
          nestaddr || ',' || ${HELD}, sort_path || 'z/'
        from node where key = 'a1'`.execute(holder)
      const started = await client.start(await client.upload(bytes))
      await vi.waitFor(async () => expect(await findWork(db)).toEqual({ working: 1, waiting: 1 }), WAIT)
      await kill(running.child)
      await sql`delete from node where key = 'held'`.execute(holder)
      return started
    })
    await vi.waitFor(async () => expect(await findWork(db)).toMatchObject({ working: 0 }), WAIT)
    expect(await countBuildings(db)).toEqual({ stored: 1_000, logged: 1_000, operations: 1 })
    await expectSoundTrees(db)

    await extendLeases(db)
    running = await startProcess(database.url, clickhouse.url)
    client = await signIn(running.base)
    expect(await client.get(id)).toMatchObject({ state: 'importing', done: 1_000, total: BUILDINGS })
    await expireLeases(db)
    await vi.waitFor(async () => expect((await client.get(id))?.state).toBe('done'), WAIT)
    expect(await client.get(id)).toMatchObject({ added: BUILDINGS, failed: 0, done: BUILDINGS })
    const all = { stored: BUILDINGS, logged: BUILDINGS, operations: 1 }
    expect(await countBuildings(db)).toEqual(all)
    await expectSoundTrees(db)

    // Import again and kill the server as soon as the start is answered: the next server checks it, and nothing changes.
    const again = await client.start(await client.upload(bytes))
    await kill(running.child)
    await extendLeases(db)
    running = await startProcess(database.url, clickhouse.url)
    client = await signIn(running.base)
    await expireLeases(db)
    await vi.waitFor(async () => expect((await client.get(again.id))?.state).toBe('done'), WAIT)
    const unchanged = { added: 0, changed: 0, failed: 0, unchanged: BUILDINGS }
    expect(await client.get(again.id)).toMatchObject(unchanged)
    expect(await countBuildings(db)).toEqual(all)
  } finally {
    await kill(running.child)
    await db.destroy()
    await Promise.all([database.drop(), clickhouse.drop()])
  }
})
