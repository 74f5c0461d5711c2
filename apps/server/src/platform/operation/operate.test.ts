import { secretNames } from '@isotherm/contract/gateways/secrets'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { AppError } from '../app-error.ts'
import { lockVersion, toStale } from './lock-version.pg.ts'
import { operate, recordOperation } from './operate.pg.ts'
import { createTestOperation } from './operation.testkit.ts'
import { withoutSecrets } from './operation.ts'

let core: TestCore
beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const rename = (key: string, name: string, account: string, version?: number) =>
  operate(core.db, createTestOperation({ endpoint: 'rename', account }), async (transaction) => {
    const id = await core.nodeId(key)
    const found = await lockVersion(transaction, { table: 'node', entity: 'node', id, version })
    await transaction.updateTable('node').set({ name }).where('id', '=', id).execute()
    return found
  })

const listChanges = (entityId: number) =>
  core.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_change.operation_id')
    .select(['account', 'entity', 'version', 'action', 'path', 'before', 'after', 'result'])
    .where('entity_id', '=', String(entityId))
    .orderBy('operation_change.id')
    .execute()

test('a change creates a version and is in the log with the values before and after and the account', async () => {
  const id = await core.nodeId('b3')
  await rename('b3', '四号楼', 'wang', 1)
  expect(await listChanges(id)).toEqual([
    {
      account: 'wang',
      entity: 'node',
      version: 2,
      action: 'changed',
      result: 'ok',
      path: await core.pathOf('b3'),
      before: { name: '三号楼' },
      after: { name: '四号楼' },
    },
  ])
})

test('a change of columns that are not recorded creates no version', async () => {
  const id = await core.nodeId('a2')
  await operate(core.db, createTestOperation(), (transaction) =>
    sql`update node set nestaddr = nestaddr || 'x', name = name where id = ${id}`.execute(transaction),
  )
  expect(await listChanges(id)).toEqual([])
})

test('a change based on an old version is rejected with the changed fields and accounts', async () => {
  await rename('b10', '十一号楼', 'li', 1)
  await rename('b10', '十二号楼', 'zhao', 2)
  const late = rename('b10', '十三号楼', 'sun', 1)
  await expect(late).rejects.toThrow(AppError)
  await late.catch((error: AppError) => {
    expect([error.code, error.params]).toEqual([
      'entity.stale',
      { what: 'node', by: 'li, zhao', fields: 'name' },
    ])
  })
})

test('a change of a removed entity is rejected with the account that removed it', async () => {
  const nodeId = await core.nodeId('s2')
  const place = { node_id: nodeId, longitude_deg: 116, latitude_deg: 39, outline: null }
  await core.db.insertInto('node_gis').values(place).execute()
  await operate(core.db, createTestOperation({ account: 'wu' }), (transaction) =>
    transaction.deleteFrom('node_gis').where('node_id', '=', nodeId).execute(),
  )
  const change = { table: 'node_gis', entity: 'zone-gis', id: nodeId, version: 1 } as const
  const stale = await core.db.transaction().execute((transaction) => toStale(transaction, change))
  expect(stale.params).toEqual({ what: 'zone-gis', by: 'wu', fields: '-' })
})

test('one of two concurrent changes of the same version is rejected', async () => {
  const results = await Promise.allSettled(['甲', '乙'].map((name) => rename('s2', name, name, 1)))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a failed change leaves no data and no record', async () => {
  const before = await core.db.selectFrom('operation').select('id').execute()
  const failing = operate(core.db, createTestOperation(), async (transaction) => {
    await sql`update node set name = 'x' where key = 's1'`.execute(transaction)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await core.db.selectFrom('operation').select('id').execute()).toEqual(before)
})

test('two changes in a deadlock both succeed, each once', async () => {
  const [one, other] = [await core.nodeId('p'), await core.nodeId('a1')]
  const met = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  let waiting = 0
  let tries = 0
  const describe = async (ids: readonly number[], endpoint: string) => {
    await operate(core.db, createTestOperation({ endpoint }), async (transaction) => {
      tries += 1
      // A retry before the other continues could abort that one in turn.
      if (tries === 3) await done.promise
      for (const [index, id] of ids.entries()) {
        const described = sql`description || ${endpoint}`
        await sql`update node set description = ${described} where id = ${id}`.execute(transaction)
        if (index > 0) continue
        waiting += 1
        if (waiting === 2) met.resolve()
        await met.promise
      }
    })
    done.resolve()
  }
  await Promise.all([describe([one, other], '甲'), describe([other, one], '乙')])
  expect(tries).toBe(3)
  const rows = await core.db
    .selectFrom('node')
    .select('description')
    .where('id', 'in', [one, other])
    .execute()
  expect(rows.map(({ description }) => [...description].toSorted())).toEqual([
    ['乙', '甲'],
    ['乙', '甲'],
  ])
  const noted = core.db.selectFrom('operation').select('endpoint').where('endpoint', 'in', ['甲', '乙'])
  expect(await noted.execute()).toHaveLength(2)
})

test.each([
  [2, 'done'],
  [3, 'given up'],
])('a change that crosses others %i times is %s', async (crossings, outcome) => {
  let tries = 0
  const crossing = operate(core.db, createTestOperation(), async (transaction) => {
    tries += 1
    if (tries <= crossings) await sql`do $$ begin raise deadlock_detected; end $$`.execute(transaction)
    return 'done'
  })
  const [{ status }] = await Promise.allSettled([crossing])
  expect({ tries, status }).toEqual({ tries: 3, status: outcome === 'done' ? 'fulfilled' : 'rejected' })
})

test('the log cannot be altered', async () => {
  await recordOperation(core.db, createTestOperation(), 'access.denied')
  for (const statement of ['update operation set account = null', 'truncate operation_change']) {
    await expect(sql.raw(statement).execute(core.db)).rejects.toThrow('only added to')
  }
})

test('an input is recorded whatever its texts contain: lone surrogates, NULs and texts that look like their escapes', async () => {
  const requestId = 'odd texts'
  const cut = withoutSecrets(`${'x'.repeat(499)}😀`)
  const input = { half: 'a\ud800b', nul: 'a\u0000b', typed: 'a\\u0000b', cut, 'key\udc00\u0000': [' \udfff'] }
  await recordOperation(core.db, { ...createTestOperation(), requestId, input }, 'request.malformed')
  const noted = core.db.selectFrom('operation').select('input').where('request_id', '=', requestId)
  expect(await noted.executeTakeFirstOrThrow()).toEqual({
    input: {
      half: 'a\ufffdb',
      nul: 'ab',
      typed: 'a\\u0000b',
      cut: `${'x'.repeat(499)}\ufffd…`,
      'key\ufffd': [' \ufffd'],
    },
  })
})

test('the log contains no secrets and only parts of long texts and lists', () => {
  const input = { account: 'li', password: 'p', nested: [{ token: 't', name: 'n' }], long: 'x'.repeat(600) }
  expect(withoutSecrets(input)).toEqual({
    account: 'li',
    password: '[secret]',
    nested: [{ token: '[secret]', name: 'n' }],
    long: `${'x'.repeat(500)}…`,
  })
  expect(withoutSecrets({ url: 'https://robot.example/send?key=k1', note: 'why?k1' })).toEqual({
    url: 'https://robot.example/send?key=***',
    note: 'why?k1',
  })
  expect(withoutSecrets(Array.from({ length: 60 }, () => 1))).toHaveLength(51)
})

test('of an input with lists in lists the log contains as much as of a long one', () => {
  const devices = Array.from({ length: 50 }, (_, index) => ({ serial: `D-${index}`, note: 'x'.repeat(300) }))
  const lines = Array.from({ length: 50 }, (_, index) => ({ id: `L-${index}`, devices }))
  const noted = withoutSecrets({ config: { lines, dtu: { port: 9_000 } }, id: 7 })
  expect(JSON.stringify(noted).length).toBeLessThan(40_000)
  expect(noted).toMatchObject({ config: { lines: expect.arrayContaining([{ id: 'L-0', devices }]) } })
  expect(JSON.stringify(noted)).toContain('"… ')
})

test.each(secretNames)('the log never contains the %s of a gateway', (name) => {
  const platform = { kind: 'iotda', [name]: 'value' }
  expect(withoutSecrets({ lines: [{ platform }] })).toEqual({
    lines: [{ platform: { kind: 'iotda', [name]: '[secret]' } }],
  })
})

test('recording a large change after many small ones on one connection takes a fraction of its time', async () => {
  const area = await core.db.selectFrom('node').selectAll().where('key', '=', 'a1').executeTakeFirstOrThrow()
  await sql`
    insert into node (id, company_id, key, parent_id, kind, level, name, uuid, path, nestaddr, sort_path)
    select 100000 + i, ${area.company_id}, 'many' || i, ${area.id}, 'sub-user', 6, 'many' || i, gen_random_uuid(),
      ${area.path} || (100000 + i) || '/', 'many' || i, ${area.sort_path} || i || '/'
    from generate_series(1, 5000) i`.execute(core.db)
  const shares = await core.db.connection().execute(async (connection) => {
    await operate(connection, createTestOperation(), async (transaction) => {
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
        await transaction.updateTable('node').set({ name }).where('id', '=', area.id).execute()
      }
    })
    return operate(connection, createTestOperation(), async (transaction) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (analyze) update node set nestaddr = nestaddr || 'x' where parent_id = ${area.id}`.execute(
        transaction,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      return [/note_changed: time=([\d.]+)/, /Execution Time: ([\d.]+)/].map((part) =>
        Number(part.exec(plan)?.[1]),
      )
    })
  })
  const [noting, all] = shares
  expect(noting).toBeGreaterThan(0)
  expect(noting).toBeLessThan((all ?? 0) / 2)
})
