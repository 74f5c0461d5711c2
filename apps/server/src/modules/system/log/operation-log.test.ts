import { permissions } from '@isotherm/contract/access/permissions'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getOperations } from '@isotherm/contract/endpoints/administration/operations'
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operate } from '../../../platform/operation/operate.pg.ts'
import { openTestSystem, refusalOf, type TestSystem } from '../system.testkit.ts'
import { createOperationLog } from './operation-log.pg.ts'

let fixture: TestSystem
beforeAll(async () => {
  fixture = await openTestSystem()
  await fixture.createAccount('root', permissions, [], 'provider')
  await fixture.createAccount('all', permissions, ['p'])
  await fixture.createAccount('first', permissions, ['s1'])
  await fixture.createAccount('second', permissions, ['s2'])
  await rename('root', { s1: '壹号站', s2: '贰号站' }, 'both')
  await rename('first', { a1: '新东区' }, 'one')
  await rename('second', { a2: '新西区' }, 'two')
})
afterAll(() => fixture.close())

/** Renames nodes in one operation. Its input contains the new names. */
async function rename(account: string, names: Readonly<Record<string, string>>, endpoint: string) {
  const { operation } = await fixture.callOf(account, endpoint)
  await operate(fixture.db, { ...operation, input: names }, async (transaction) => {
    for (const [key, name] of Object.entries(names)) {
      await transaction.updateTable('node').set({ name }).where('key', '=', key).execute()
    }
  })
}

type Query = Partial<InputOf<typeof getOperations>>

const limiter = { page: 1, size: 100 }

const toQuery = (query: Query) => ({ filter: [], limiter, ...query })

const search = async (account: string, query: Query = {}) =>
  fixture.system.log.search(await fixture.callerOf(account), toQuery(query))

const endpointsOf = async (account: string, query: Query = {}) =>
  (await search(account, query)).datalist.map(({ endpoint }) => endpoint)

test('a range that ends at the beginning of time is empty', async () => {
  expect(await search('root', { to: 0 })).toMatchObject({ total: 0, searchedFrom: 0 })
})

test('an entry has the account, time, address, input, and the values before and after', async () => {
  const { datalist, total, hasMore } = await search('root', { endpoint: 'one' })
  expect([total, hasMore]).toEqual([1, false])
  expect(datalist).toEqual([
    {
      id: expect.any(Number),
      at: fixture.clock.now(),
      account: 'first',
      endpoint: 'one',
      result: 'ok',
      whole: true,
      address: '10.0.0.9',
      requestId: 'r',
      input: { a1: '新东区' },
      changes: [
        {
          entity: 'node',
          entityId: String(await fixture.nodeId('a1')),
          version: 2,
          action: 'changed',
          before: { name: '东区' },
          after: { name: '新东区' },
        },
      ],
      hasMoreChanges: false,
    },
  ])
})

test('a caller with a part of the tree sees entries that touched it, own entries and those of managed accounts', async () => {
  expect(await endpointsOf('root')).toEqual(['two', 'one', 'both'])
  expect(await endpointsOf('all')).toEqual(['two', 'one', 'both'])
  expect(await endpointsOf('first')).toEqual(['one', 'both'])
  expect(await endpointsOf('second')).toEqual(['two', 'both'])
})

test('an entry that reaches beyond the grants shows only the changes inside them, and no input', async () => {
  const { datalist } = await search('first', { endpoint: 'both' })
  expect(datalist).toEqual([
    {
      id: expect.any(Number),
      at: fixture.clock.now(),
      account: 'root',
      endpoint: 'both',
      result: 'ok',
      whole: false,
      hasMoreChanges: false,
      changes: [expect.objectContaining({ after: { name: '壹号站' } })],
    },
  ])
  expect(JSON.stringify(datalist)).not.toContain('贰号站')
})

test('a search finds nothing by hidden values', async () => {
  expect(await endpointsOf('first', { text: '壹号' })).toEqual(['both'])
  expect(await endpointsOf('first', { text: '贰号' })).toEqual([])
  expect(await endpointsOf('root', { text: '贰号' })).toEqual(['both'])
  const s2 = { entity: 'node', entityId: String(await fixture.nodeId('s2')) }
  expect(await endpointsOf('first', s2)).toEqual([])
  expect(await endpointsOf('second', s2)).toEqual(['both'])
  expect(
    (await fixture.system.log.listHistory(await fixture.callerOf('first'), { ...s2, limiter })).total,
  ).toBe(0)
})

test('changes without a place are visible to callers who see the account', async () => {
  const call = await fixture.callOf('first', 'organ')
  const organisation = { parentId: null, name: '一科', description: '' }
  const { id } = await fixture.system.organisations.add(call, organisation)
  const named = { entity: 'organisation', entityId: String(id) }
  const { log } = fixture.system
  const historyOf = async (account: string) =>
    (await log.listHistory(await fixture.callerOf(account), { ...named, limiter })).datalist
  expect(await historyOf('all')).toMatchObject([
    { account: 'first', action: 'added', after: { name: '一科' } },
  ])
  expect(await historyOf('second')).toEqual([])
  expect(await endpointsOf('second')).not.toContain('organ')
})

test('the log is searched by account, result, node, entity, text and a filter', async () => {
  await fixture.db
    .insertInto('operation')
    .values({
      at: new Date(fixture.clock.now()),
      account_id: null,
      account: 'ghost',
      company_id: null,
      endpoint: 'login',
      address: '10.1.1.1',
      request_id: 'q',
      result: 'session.bad-credentials',
      input: '{"username":"50%_off"}',
    })
    .execute()
  const byFilter = { filter: [{ field: 'address', cond: 'regex' as const, vrex: '^10[.]1[.]' }] }
  for (const query of [
    { account: 'ghost' },
    { result: 'failed' },
    { result: 'session.bad-credentials' },
    { text: '50%_OFF' },
    byFilter,
  ]) {
    expect(await endpointsOf('root', query)).toEqual(['login'])
  }
  expect(await endpointsOf('root', { node: await fixture.nodeKey('a2') })).toEqual(['two'])
  expect(await endpointsOf('root', { node: await fixture.nodeKey('c'), entity: 'node' })).toEqual([
    'two',
    'one',
    'both',
  ])
  const bad = search('root', { filter: [{ field: 'address', cond: 'regex', vrex: '[' }] })
  expect(await refusalOf(bad)).toEqual(['filter.bad-pattern', { field: 'address' }])
  const unknown = search('root', { filter: [{ field: 'input', cond: 'eq', vstd: 'x' }] })
  expect(await refusalOf(unknown)).toEqual(['filter.unknown-field', { field: 'input' }])
})

test('a search covers at most a year', async () => {
  const now = fixture.clock.now()
  expect(await endpointsOf('root', { from: now + 1, to: now + DAY_MS })).toEqual([])
  expect(await endpointsOf('root', { from: now, to: now + 1, endpoint: 'one' })).toEqual(['one'])
  const tooLong = search('root', { from: now - 367 * DAY_MS, to: now })
  expect(await refusalOf(tooLong)).toEqual(['history.range-too-large', { maxDays: 366 }])
})

test('pages are consecutive, newest first', async () => {
  const { datalist: first, total } = await search('root', { limiter: { page: 1, size: 2 } })
  const { datalist: second } = await search('root', { limiter: { page: 2, size: 2 } })
  const ids = [...first, ...second].map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((left, right) => right - left))
  expect(new Set(ids).size).toBe(4)
  expect(total).toBeGreaterThanOrEqual(4)
})

test('a search that runs out of time answers with the entries found and how far back it got', async () => {
  const log = createOperationLog({ ...fixture, retentionDays: 0, searchMs: 0 })
  const now = fixture.clock.now()
  const answer = await log.search(await fixture.callerOf('root'), toQuery({ to: now + 1 }))
  expect(answer).toEqual({ datalist: [], total: 0, hasMore: true, searchedFrom: now + 1, retentionDays: 0 })
})

test('the history of an entity lists the author of each version, newest first', async () => {
  await rename('all', { a1: '老东区' }, 'again')
  const requested = {
    entity: 'node',
    entityId: String(await fixture.nodeId('a1')),
    limiter: { page: 1, size: 10 },
  }
  const { datalist, total } = await fixture.system.log.listHistory(await fixture.callerOf('first'), requested)
  expect(total).toBe(2)
  expect(datalist).toMatchObject([
    { account: 'all', version: 3, before: { name: '新东区' }, after: { name: '老东区' } },
    { account: 'first', version: 2, before: { name: '东区' }, after: { name: '新东区' } },
  ])
})

test('nobody finds entries by an address or request id that is hidden from them', async () => {
  const byAddress = { filter: [{ field: 'address', cond: 'like' as const, vstd: '10.0.0' }] }
  const byRequest = { filter: [{ field: 'requestId', cond: 'eq' as const, vstd: 'r' }] }
  for (const query of [byAddress, byRequest]) {
    expect(await endpointsOf('root', query)).toContain('both')
    expect(await endpointsOf('first', query)).toContain('one')
    expect(await endpointsOf('first', query)).not.toContain('both')
  }
})
