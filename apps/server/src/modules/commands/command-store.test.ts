import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import {
  type CommandsBench,
  createOrderSender,
  startCommandsBench,
  toDispatch,
  toReply,
} from './commands.testkit.ts'
import { claimDueCommands } from './dispatch/queues.pg.ts'
import { createReplies } from './dispatch/replies.ts'
import type { Commands } from './index.ts'
import { createEventWriter } from './store/event-writer.pg.ts'
import { findTarget, recordShown } from './store/open-commands.pg.ts'
import { cancelAll, cancelUntried, storeOrder } from './store/write-orders.pg.ts'

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

const { sendOrder, sendOne, stateOf } = createOrderSender(() => ({ bench, commands }))

/** Claims due commands as a replica does some seconds later. */
const claim = (window: number) => {
  const now = bench.clock.now() + 10_000
  const leases = { worker: 'test', now, leaseUntil: now, answerBy: now - 30_000, retryAfter: [] }
  return claimDueCommands(bench.db, { ...leases, window, queues: 10, busy: [], awake: [] })
}

/** Ids of two commands, one of them tried. */
async function sendTwo(): Promise<{ readonly tried: string; readonly untried: string }> {
  bench.broker.isAway = true
  const both = await sendOrder({ V1: 45, V2: 45 })
  await commands.close()
  const [claimed] = await claim(1)
  const untried = both.find(({ id }) => id !== claimed?.id)
  if (!claimed || !untried) throw new Error('not exactly one of two commands was tried')
  return { tried: claimed.id, untried: untried.id }
}

test('cancelAll cancels all commands or none', async () => {
  const { tried, untried } = await sendTwo()
  const cancel = (ids: readonly string[]) =>
    cancelAll(bench.db, ids, { at: bench.clock.now() }, toDispatch().operation)
  expect(await cancel([tried, untried])).toBe(false)
  expect(await stateOf(untried)).toBe('queued')
  expect(await cancel([untried])).toBe(true)
})

test('cancelUntried leaves tried commands unchanged', async () => {
  const { tried, untried } = await sendTwo()
  const cancel = (extraWrites?: () => Promise<void>) =>
    cancelUntried(
      bench.db,
      { ids: [tried, untried], facts: { at: bench.clock.now() }, extraWrites },
      toDispatch().operation,
    )
  await expect(cancel(() => Promise.reject(new Error('not now')))).rejects.toThrow('not now')
  expect(await stateOf(untried)).toBe('queued')
  await cancel()
  expect(await stateOf(untried)).toBe('cancelled')
  expect(await stateOf(tried)).toBe('queued')
})

test('open commands are counted by state, final ones are not', async () => {
  bench.broker.isAway = true
  const [first] = await sendOrder({ V1: 60, V2: 50 })
  if (!first) throw new Error('no command')
  expect(await commands.countOpen()).toEqual(new Map([['queued', 2]]))
  // A command cannot be cancelled while it is being tried.
  await commands.close()
  await commands.service.cancel(toDispatch(), [first.id])
  expect(await commands.countOpen()).toEqual(new Map([['queued', 1]]))
})

test('a valve that is retired or removed after planning gets no command', async () => {
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
    const planned = { id: 'A', deviceId, queueId: bench.idOf('C1'), sleeps: false, target: 50 }
    const setpoint = { kind: 'valve.set' as const, previous: undefined }
    const expiresAt = bench.clock.now() + MINUTE_MS
    return storeOrder(
      bench.db,
      { batch, commands: [{ ...planned, ...setpoint, expiresAt, hasDefaultValidity: true }] },
      toDispatch().operation,
      () => undefined,
    )
  }
  const valve = bench.idOf('V2')
  const retire = (retired_at: Date | null) =>
    bench.db.updateTable('device').set({ retired_at }).where('id', '=', valve).execute()
  bench.broker.isAway = true
  const waiting = await sendOne('V2', 50)
  await commands.close()
  await retire(new Date(0))
  await expect(insert(valve)).rejects.toMatchObject({ code: 'device.retired', params: { device: 'V2' } })
  await expect(insert(999_999)).rejects.toMatchObject({ code: 'device.not-found' })
  expect(await claim(10)).toEqual([])
  await retire(null)
  expect(await claim(10)).toMatchObject([{ id: waiting.id }])
})

/** A lone surrogate, which PostgreSQL rejects in JSON. */
const HALF = '\ud800'

const detailsOf = async (id: string): Promise<string[]> => {
  const events = bench.db.selectFrom('command_event').select('detail').where('command_id', '=', id)
  return (await events.orderBy('id').execute()).map(({ detail }) => detail)
}

test('C18: an event that the database rejects does not block the events stored together with it', async () => {
  bench.broker.isAway = true
  const [first, second] = await sendOrder({ V1: 45, V2: 45 })
  if (!first || !second) throw new Error('there are not two commands')
  await commands.close()
  const apply = createEventWriter(bench.db, bench.clock)
  const at = bench.clock.now()
  const applied = [
    // The first is stored alone; the others are gathered meanwhile.
    apply(first.id, 'published', { at }),
    apply(first.id, 'delivered', { at }),
    apply(second.id, 'delivered', { at, detail: HALF }),
    apply(second.id, 'accepted', { at }),
  ]
  const settled = await Promise.allSettled(applied)
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['delivered', 'accepted'])
})

test('C18: a reply with a lone surrogate or a NUL is accepted; one that cannot be stored is rejected', async () => {
  bench.broker.isAway = true
  const given = await sendOne('V1', 45)
  await commands.close()
  const from = { tenant: 'test', gateway: 'C1' }
  const toReplyWith = (msg: string) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(String(toReply(given.id, 'V1', 'accepted'))), msg }))
  const apply = createEventWriter(bench.db, bench.clock)
  const needs = {
    clock: bench.clock,
    directory: bench.registered.directory,
    findTarget: (id: string) => findTarget(bench.db, id),
    onDone: () => undefined,
    onUplink: () => undefined,
    reads: { accept: async () => undefined },
    scans: { accept: async () => undefined },
  }
  const rejecting = createReplies({
    ...needs,
    apply: (id, event, facts) => apply(id, event, { ...facts, detail: HALF }),
  })
  expect(await rejecting.acceptReply(from, toReplyWith('x'))).toBe('wrong-schema')
  expect(await stateOf(given.id)).toBe('queued')
  const replies = createReplies({ ...needs, apply })
  expect(await replies.acceptReply(from, toReplyWith(`a${HALF}b\u0000c`))).toBeUndefined()
  expect(await stateOf(given.id)).toBe('accepted')
  expect((await detailsOf(given.id)).at(-1)).toBe('accepted 0 a\ufffdbc')
})

test('extra writes are stored with the batch or not at all', async () => {
  bench.broker.isAway = true
  const order = { targets: bench.toTargets({ V1: 45 }), reason: 'test' }
  const ofBatch = (batchId: string) =>
    bench.db.selectFrom('command_batch').where('id', '=', batchId).select('state').execute()
  const seen: unknown[] = []
  const refused = commands.service.send(toDispatch(), order, async (_, batchId) => {
    seen.push(batchId)
    throw new Error('not now')
  })
  await expect(refused).rejects.toThrow('not now')
  expect(await ofBatch(String(seen[0]))).toEqual([])
  const { batchId } = await commands.service.send(toDispatch(), order, async (transaction, id) => {
    seen.push(id, await transaction.selectFrom('command').where('batch_id', '=', id).select('id').execute())
  })
  expect(seen.slice(1)).toEqual([batchId, []])
  expect(await ofBatch(batchId)).toEqual([{ state: 'running' }])
})

test('the newest opening that a valve shows for a done command is stored, in whatever order it arrives', async () => {
  const [command] = await sendOrder({ V1: 45 })
  if (!command) throw new Error('nothing was ordered')
  const shown = () =>
    bench.db
      .selectFrom('command')
      .where('id', '=', command.id)
      .select(['shown_pct', 'shown_ms'])
      .executeTakeFirstOrThrow()
  const setState = (state: 'done' | 'unknown') =>
    bench.db.updateTable('command').set({ state }).where('id', '=', command.id).execute()
  await setState('done')
  await recordShown(bench.db, command.id, { pct: 55, ts: 2_000 })
  await recordShown(bench.db, command.id, { pct: 70, ts: 1_999 })
  expect(await shown()).toEqual({ shown_pct: 55, shown_ms: 2_000 })
  await recordShown(bench.db, command.id, { pct: 54, ts: 2_001 })
  await setState('unknown')
  await recordShown(bench.db, command.id, { pct: 45, ts: 3_000 })
  expect(await shown()).toEqual({ shown_pct: 54, shown_ms: 2_001 })
})
