import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { createTestClickhouse, createTestDatabase } from '@isotherm/engines/testkit'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../platform/log.ts'
import { createDatabase, type Database } from '../../../platform/postgres/database.pg.ts'
import { kill, startProcess } from '../../../testing/server-process.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { DEMO_PASSWORD, toClientHash } from '../../session/index.ts'
import { expectSoundTrees } from '../tree-check.testkit.ts'

const HOUSEHOLDS = 4_000
const signedIn = z.object({ data: z.object({ token: z.string() }) })

/** Two stations, the first with one area of thousands of nodes. */
function createLargeArea(): RegistryFile {
  const nodes: RegistryFile['nodes'] = [
    { key: 'p', parent: null, kind: 'project', level: 1, name: '大集团' },
    { key: 'c', parent: 'p', kind: 'group', level: 2, name: '公司' },
    { key: 's1', parent: 'c', kind: 'group', level: 4, name: '一号站' },
    { key: 's2', parent: 'c', kind: 'group', level: 4, name: '二号站' },
    { key: 'a1', parent: 's1', kind: 'group', level: 5, name: '东区' },
  ]
  for (let building = 1; building <= HOUSEHOLDS / 100; building += 1) {
    const key = `b${building}`
    nodes.push({ key, parent: 'a1', kind: 'sub-user', level: 6, name: `${building}号楼` })
    nodes.push({ key: `${key}u`, parent: key, kind: 'address', level: 7, name: '1单元' })
    for (let household = 1; household <= 100; household += 1) {
      nodes.push({
        key: `${key}h${household}`,
        parent: `${key}u`,
        kind: 'address',
        level: 8,
        name: `${household}`,
      })
    }
  }
  return { v: 1, company: { tenant: 'large', name: '大', timeZone: 'Asia/Shanghai' }, nodes, devices: [] }
}

async function call(base: string, path: string, input: unknown, token?: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { token }) }
  const response = await fetch(`${base}/usrCloud${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(input),
  })
  return response.json()
}

/** Whether the move is running in the database, and whether it waits for the locked household. */
async function findMove(db: Database) {
  const { rows } = await sql<{ waits: boolean }>`
    select wait_event_type = 'Lock' as waits from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%update node set path%'
      and state <> 'idle'`.execute(db)
  return rows[0]
}

/** Nodes below the first station and below the second. */
async function countBelow(db: Database) {
  const { rows } = await sql<{ first: number; second: number }>`
    select count(*) filter (where node.path like s1.path || '_%') as first,
      count(*) filter (where node.path like s2.path || '_%') as second
    from node, node s1, node s2 where s1.key = 's1' and s2.key = 's2'`.execute(db)
  return rows[0]
}

test('kill -9 during the move of an area of 4,081 nodes leaves all nodes at the old place or all at the new one', {
  timeout: 240_000,
}, async () => {
  const [database, clickhouse] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  const db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  let running = await startProcess(database.url, clickhouse.url)
  try {
    await importRegistry(db, createLargeArea())
    const find = (key: string) =>
      db.selectFrom('node').select(['id', 'version']).where('key', '=', key).executeTakeFirstOrThrow()
    const [area, second, last] = [await find('a1'), await find('s2'), await find('b40h100')]
    const { length } = await db
      .selectFrom('node')
      .select('id')
      .where('path', 'like', `%/${area.id}/%`)
      .execute()
    const logIn = async () =>
      signedIn.parse(
        await call(running.base, '/user/login', { username: 'admin', password: toClientHash(DEMO_PASSWORD) }),
      ).data.token
    const move = { id: area.id, version: area.version, parentId: second.id }

    // A household locked by another transaction stops the move after it has written the nodes before it.
    const token = await logIn()
    await db.transaction().execute(async (holder) => {
      await sql`select from node where id = ${last.id} for update`.execute(holder)
      const answer = call(running.base, '/dev/editDevGroup', move, token).catch((error: unknown) => error)
      await vi.waitFor(async () => expect(await findMove(db)).toEqual({ waits: true }), {
        timeout: 30_000,
        interval: 20,
      })
      await kill(running.child)
      await answer
    })
    await vi.waitFor(async () => expect(await findMove(db)).toBeUndefined(), {
      timeout: 30_000,
      interval: 20,
    })
    expect(await countBelow(db)).toEqual({ first: length, second: 0 })
    await expectSoundTrees(db)
    expect(await find('a1')).toEqual(area)

    // A move that was answered as done stays done, even if the server is killed right after.
    running = await startProcess(database.url, clickhouse.url)
    const answer = await call(running.base, '/dev/editDevGroup', move, await logIn())
    await kill(running.child)
    expect(answer).toMatchObject({ status: 0 })
    expect(await countBelow(db)).toEqual({ first: 0, second: length })
    await expectSoundTrees(db)
  } finally {
    await kill(running.child)
    await db.destroy()
    await Promise.all([database.drop(), clickhouse.drop()])
  }
})
