import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import {
  type CommandsBench,
  createGiver,
  startCommandsBench,
  toDispatch,
  toReply,
} from '../commands.testkit.ts'
import { takeFromLanes } from '../dispatch/queues.pg.ts'
import { createReplies } from '../dispatch/replies.ts'
import type { Commands } from '../index.ts'
import { createCommandStore } from './store.pg.ts'

let bench: CommandsBench
let commands: Commands

beforeAll(async () => {
  bench = await startCommandsBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  commands = await bench.start()
})
afterEach(() => commands.close())

const { give, giveOne, stateOf } = createGiver(() => ({ bench, commands }))

/** As a replica does some seconds later. */
const take = (window: number) => {
  const now = bench.clock.now() + 10_000
  const leases = { worker: 'test', now, leaseUntil: now, answerBy: now - 30_000, retryAfter: [] }
  return takeFromLanes(bench.db, { ...leases, window, lanes: 10, busy: [], awake: [] })
}

/** Numbers of two commands of which somebody tries one. */
async function giveTwo(): Promise<{ readonly tried: string; readonly untried: string }> {
  bench.broker.isAway = true
  const both = await give({ V1: 45, V2: 45 })
  await commands.close()
  const [taken] = await take(1)
  const untried = both.find(({ id }) => id !== taken?.id)
  if (!taken || !untried) throw new Error('one of two is tried')
  return { tried: taken.id, untried: untried.id }
}

test('of commands cancelled together either all are or none', async () => {
  const { tried, untried } = await giveTwo()
  const store = createCommandStore(bench.db)
  const cancel = (ids: readonly string[]) =>
    store.cancelAll(ids, { at: bench.clock.now() }, toDispatch().operation)
  expect(await cancel([tried, untried])).toBe(false)
  expect(await stateOf(untried)).toBe('queued')
  expect(await cancel([untried])).toBe(true)
})

test('of commands cancelled as far as nobody tried them those that were tried go on', async () => {
  const { tried, untried } = await giveTwo()
  const store = createCommandStore(bench.db)
  const cancel = (beside?: () => Promise<void>) =>
    store.cancelUntried([tried, untried], { at: bench.clock.now() }, toDispatch().operation, beside)
  await expect(cancel(() => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
  expect(await stateOf(untried)).toBe('queued')
  await cancel()
  expect(await stateOf(untried)).toBe('cancelled')
  expect(await stateOf(tried)).toBe('queued')
})

test('commands under way are counted by state, those at their end are not', async () => {
  bench.broker.isAway = true
  const [first] = await give({ V1: 60, V2: 50 })
  if (!first) throw new Error('no command')
  expect(await commands.countOpen()).toEqual(new Map([['queued', 2]]))
  // A command cannot be cancelled in the moment in which it is tried.
  await commands.close()
  await commands.service.cancel(toDispatch(), [first.id])
  expect(await commands.countOpen()).toEqual(new Map([['queued', 1]]))
})

test('a valve that was retired or removed between the plan and its storing gets no command', async () => {
  const store = createCommandStore(bench.db)
  const batch = {
    id: 'A',
    accountId: undefined,
    scope: scopeOfEverything,
    actor: 'x',
    reason: '',
    priority: 'manual' as const,
    createdAt: bench.clock.now(),
  }
  const insert = (deviceId: number) => {
    const planned = { id: 'A', deviceId, laneId: bench.idOf('C1'), sleeps: false, target: 50 }
    const aim = { kind: 'valve.set' as const, previous: undefined }
    const expiresAt = bench.clock.now() + MINUTE_MS
    return store.insertBatch(
      batch,
      [{ ...planned, ...aim, expiresAt, waitsItsTurn: true }],
      toDispatch().operation,
    )
  }
  const valve = bench.idOf('V2')
  const retire = (retired_at: Date | null) =>
    bench.db.updateTable('device').set({ retired_at }).where('id', '=', valve).execute()
  bench.broker.isAway = true
  const waiting = await giveOne('V2', 50)
  await commands.close()
  await retire(new Date(0))
  await expect(insert(valve)).rejects.toMatchObject({ code: 'device.retired', params: { device: 'V2' } })
  await expect(insert(999_999)).rejects.toMatchObject({ code: 'device.not-found' })
  expect(await take(10)).toEqual([])
  await retire(null)
  expect(await take(10)).toMatchObject([{ id: waiting.id }])
})

/** What PostgreSQL takes in no JSON. */
const HALF = '\ud800'

const detailsOf = async (id: string): Promise<string[]> => {
  const events = bench.db.selectFrom('command_event').select('detail').where('command_id', '=', id)
  return (await events.orderBy('id').execute()).map(({ detail }) => detail)
}

test('C18: what the store will never take of an event keeps none of those from it that come with it', async () => {
  bench.broker.isAway = true
  const [first, second] = await give({ V1: 45, V2: 45 })
  if (!first || !second) throw new Error('two were given')
  await commands.close()
  const store = createCommandStore(bench.db)
  const at = bench.clock.now()
  const asked = [
    // The first is stored alone; the others gather behind it.
    store.apply(first.id, 'published', { at }),
    store.apply(first.id, 'delivered', { at }),
    store.apply(second.id, 'delivered', { at, detail: HALF }),
    store.apply(second.id, 'accepted', { at }),
  ]
  const settled = await Promise.allSettled(asked)
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['delivered', 'accepted'])
})

test('C18: a reply with half a character or a NUL in it is taken; one that cannot be stored is none of ours', async () => {
  bench.broker.isAway = true
  const given = await giveOne('V1', 45)
  await commands.close()
  const from = { tenant: 'test', node: 'C1' }
  const toSpoilt = (msg: string) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(String(toReply(given.id, 'V1', 'accepted'))), msg }))
  const store = createCommandStore(bench.db)
  const needs = { clock: bench.clock, directory: bench.registered.directory }
  const ears = { onDone: () => undefined, onHeard: () => undefined }
  const spoiling = createReplies({
    ...needs,
    ...ears,
    store: { ...store, apply: (id, event, facts) => store.apply(id, event, { ...facts, detail: HALF }) },
  })
  expect(await spoiling.takeReply(from, toSpoilt('x'))).toBe('wrong-schema')
  expect(await stateOf(given.id)).toBe('queued')
  const replies = createReplies({ ...needs, ...ears, store })
  expect(await replies.takeReply(from, toSpoilt(`a${HALF}b\u0000c`))).toBeUndefined()
  expect(await stateOf(given.id)).toBe('accepted')
  expect((await detailsOf(given.id)).at(-1)).toBe('accepted 0 a\ufffdbc')
})

test('what is stored beside a batch is stored with it or not at all', async () => {
  bench.broker.isAway = true
  const order = { targets: bench.toTargets({ V1: 45 }), reason: 'test' }
  const ofBatch = (batchId: string) =>
    bench.db.selectFrom('command_batch').where('id', '=', batchId).select('state').execute()
  const seen: unknown[] = []
  const refused = commands.service.give(toDispatch(), order, async (_, batchId) => {
    seen.push(batchId)
    throw new Error('not now')
  })
  await expect(refused).rejects.toThrow('not now')
  expect(await ofBatch(String(seen[0]))).toEqual([])
  const { batchId } = await commands.service.give(toDispatch(), order, async (transaction, id) => {
    seen.push(id, await transaction.selectFrom('command').where('batch_id', '=', id).select('id').execute())
  })
  expect(seen.slice(1)).toEqual([batchId, []])
  expect(await ofBatch(batchId)).toEqual([{ state: 'running' }])
})
