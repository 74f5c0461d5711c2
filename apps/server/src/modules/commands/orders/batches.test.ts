import type { Command, CommandBatch, CommandState } from '@isotherm/contract/command'
import { toAddressKey } from '@isotherm/contract/tree'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type CommandsBench,
  createWideRegistry,
  dispatcher,
  startCommandsBench,
  toDispatch,
  toReply,
} from '../commands.testkit.ts'
import type { Commands } from '../index.ts'
import type { BatchUpdate } from './batches.pg.ts'

const WAIT = { timeout: 30_000, interval: 20 }
const EACH = 40

let bench: CommandsBench
let commands: Commands

beforeAll(async () => {
  bench = await startCommandsBench(createWideRegistry(3, EACH))
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  commands = await bench.start()
})
afterEach(() => commands.close())

const serialsOf = (...numbers: readonly number[]) =>
  numbers.flatMap((gateway) => Array.from({ length: EACH }, (_, index) => `C${gateway}V${index + 1}`))

const sendOrder = (serials: readonly string[], validityS?: number) =>
  commands.service.send(toDispatch(), {
    targets: serials.map((serial) => ({ deviceId: bench.idOf(serial), openingPct: 60 })),
    reason: 'test',
    ...(validityS === undefined ? {} : { validityS }),
  })

const get = (id: string) => commands.batches.get(dispatcher, id)
const countsOf = async (id: string): Promise<CommandBatch['counts']> => (await get(id)).counts
const listOf = async (batchId: string): Promise<Command[]> =>
  (await commands.service.list(dispatcher, { batchId, limiter: { page: 1, size: 1_000 } })).datalist

const answer = (command: Pick<Command, 'id' | 'deviceName'>, node: string, code = 0) =>
  commands.acceptReply(
    { tenant: 'test', gateway: node },
    toReply(command.id, command.deviceName, 'accepted', code),
  )

const gatewayOf = ({ deviceName }: Pick<Command, 'deviceName'>) => deviceName.split('V')[0] ?? ''

const publishedTo = (node: string) => bench.published.filter(({ topic }) => topic.includes(`/${node}/`))

test('the commands of a batch are listed in the order of the request, page by page', async () => {
  const serials = serialsOf(1, 2, 3).toReversed()
  const { batch } = await sendOrder(serials)
  const pages = await Promise.all(
    [1, 2].map((page) =>
      commands.service.list(dispatcher, { batchId: batch.id, limiter: { page, size: 7 } }),
    ),
  )
  const listed = pages.flatMap(({ datalist }) => datalist.map(({ deviceName }) => deviceName))
  expect(listed).toEqual(serials.slice(0, 14))
})

test('B4: a batch is counted by the states of its commands, reported, and finished when the last one is final', async () => {
  const updates: BatchUpdate[] = []
  commands.onBatch((update) => updates.push(update))
  const { batch, commands: given } = await sendOrder(['C1V1', 'C2V1', 'C3V1'])
  expect(batch).toMatchObject({ state: 'running', total: 3, actor: 'dispatcher', reason: 'test' })
  expect(batch.abilities).toEqual(['pause', 'cancel'])
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 3 })
  const [first, second, third] = given
  if (!first || !second || !third) throw new Error('three were given')
  await answer(first, gatewayOf(first), 500)
  await answer(second, gatewayOf(second), 409)
  expect(await countsOf(batch.id)).toEqual({ failed: 1, superseded: 1, sent: 1 })
  bench.clock.shiftMs = 2 * MINUTE_MS
  const counts = { failed: 1, superseded: 1, unknown: 1 }
  await expect
    .poll(() => get(batch.id), WAIT)
    .toMatchObject({ state: 'finished', counts, abilities: ['retry'] })
  const progress = { id: batch.id, state: 'finished', total: 3, counts }
  await expect.poll(() => updates.at(-1)?.progress, WAIT).toEqual(progress)
  expect(updates.at(-1)?.path).toBe('/1/2/3/4/5/6/')
  const parts = (await updates.at(-1)?.listParts()) ?? []
  expect(parts.map(({ state }) => state).toSorted()).toEqual(['failed', 'superseded', 'unknown'])
})

test('B5: waiting commands of a paused batch are not sent and do not expire; after resume they have the time that was left', async () => {
  bench.broker.isAway = true
  const { batch } = await sendOrder(['C1V1', 'C2V1'], 60)
  // An attempt in progress at the pause fails with the broker.
  expect(await commands.batches.pause(toDispatch(), batch.id)).toMatchObject({ state: 'paused' })
  await expect(commands.batches.pause(toDispatch(), batch.id)).rejects.toMatchObject({
    code: 'command-batch.not-now',
  })
  const waiting = { state: 'queued', attempts: 0 }
  await expect
    .poll(() => bench.db.selectFrom('command').select(['state', 'attempts']).execute(), WAIT)
    .toEqual([waiting, waiting])
  bench.clock.shiftMs = 30 * MINUTE_MS
  bench.broker.isAway = false
  const other = await sendOrder(['C3V1'])
  await expect.poll(() => countsOf(other.batch.id), WAIT).toEqual({ sent: 1 })
  expect(bench.published).toHaveLength(1)
  expect(await countsOf(batch.id)).toEqual({ queued: 2 })
  const resumedAt = bench.clock.now()
  const resumed = await commands.batches.resume(toDispatch(), batch.id)
  expect(resumed.state).toBe('running')
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 2 })
  for (const { expiresAt } of await listOf(batch.id)) {
    expect(expiresAt - resumedAt).toBeGreaterThan(30_000)
    expect(expiresAt - resumedAt).toBeLessThanOrEqual(60_000)
  }
})

test('B6: cancelling a batch ends the commands that were never sent, and no others', async () => {
  const { batch } = await sendOrder(serialsOf(1))
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 32, queued: 8 })
  const cancelled = await commands.batches.cancel(toDispatch(), batch.id)
  expect(cancelled).toMatchObject({ state: 'cancelled', counts: { sent: 32, cancelled: 8 }, abilities: [] })
  const noted = await bench.db
    .selectFrom('operation_change')
    .select(['before', 'after'])
    .where('entity', '=', 'command-batch')
    .where('entity_id', '=', batch.id)
    .orderBy('id')
    .execute()
  expect(noted.at(-1)).toEqual({ before: { state: 'running' }, after: { state: 'cancelled' } })
})

test('B7: a retry sends what failed, expired or is unknown, except to valves with a later command', async () => {
  const { batch, commands: given } = await sendOrder(['C1V1', 'C1V2', 'C2V1', 'C2V2'])
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 4 })
  for (const command of given.slice(0, 3)) await answer(command, gatewayOf(command), 500)
  await sendOrder(['C1V1'])
  const retried = await commands.batches.retry(toDispatch(), batch.id)
  expect(retried).toMatchObject({ retryOf: batch.id, total: 2, reason: 'test', priority: 'manual' })
  expect((await listOf(retried.id)).map(({ deviceName }) => deviceName).toSorted()).toEqual(['C1V2', 'C2V1'])
  await expect(commands.batches.retry(toDispatch(), batch.id)).rejects.toMatchObject({
    code: 'command-batch.not-now',
  })
})

test('B18: a retry leaves out retired valves and disabled control, and the holds of the first batch stay in force', async () => {
  const serials = ['C1V1', 'C1V2', 'C2V1', 'C2V2']
  const { batch, commands: given } = await commands.service.send(toDispatch(), {
    targets: serials.map((serial) => ({ deviceId: bench.idOf(serial), openingPct: 60 })),
    reason: 'test',
    holdUntil: bench.clock.now() + 600_000,
  })
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 4 })
  for (const command of given) await answer(command, gatewayOf(command), 500)
  const listHeld = async () =>
    (await commands.holds.list(dispatcher, { limiter: { page: 1, size: 10 } })).datalist.map(
      ({ deviceName }) => deviceName,
    )
  const setRetired = (retired_at: Date | null) =>
    bench.db.updateTable('device').set({ retired_at }).where('id', '=', bench.idOf('C1V1')).execute()
  await setRetired(new Date(0))
  await sql`
    insert into control_device (company_id, device_id, node_id, purpose, name, enabled)
    select node.company_id, device.id, node_id, 'supply', device.name, false
    from device join node on node.id = node_id where device.id = ${bench.idOf('C1V2')}`.execute(bench.db)
  try {
    const retried = await commands.batches.retry(toDispatch(), batch.id)
    expect((await listOf(retried.id)).map(({ deviceName }) => deviceName).toSorted()).toEqual([
      'C2V1',
      'C2V2',
    ])
    expect((await listHeld()).toSorted()).toEqual(serials)
    // Another order of the same priority ends the hold on its valve.
    await sendOrder(['C2V1'])
    expect((await listHeld()).toSorted()).toEqual(['C1V1', 'C1V2', 'C2V2'])
  } finally {
    await setRetired(null)
    await sql`truncate control_device, valve_hold cascade`.execute(bench.db)
  }
})

test('B8: a concentrator without answers, or for which the broker accepts nothing, does not block others', async () => {
  bench.broker.stuck.add('C1')
  const { batch } = await sendOrder(serialsOf(1, 2, 3))
  const byState = async (state: CommandState, gateway: string) =>
    (await listOf(batch.id)).filter((command) => command.state === state && gatewayOf(command) === gateway)
  // C2 answers, C3 is silent: a queue continues with each answer, and stops at a full window without answers.
  for (let answered = 0; answered < EACH; ) {
    await expect.poll(async () => (await byState('sent', 'C2')).length, WAIT).toBeGreaterThan(0)
    for (const command of await byState('sent', 'C2')) {
      await answer(command, 'C2')
      answered += 1
    }
  }
  expect(await byState('accepted', 'C2')).toHaveLength(EACH)
  expect(await byState('sent', 'C3')).toHaveLength(32)
  expect(publishedTo('C1')).toHaveLength(0)
  // After half a minute silent devices no longer count: the rest of the queue is sent.
  bench.clock.shiftMs = 31_000
  await expect.poll(() => new Set(publishedTo('C3').map(({ body }) => body.id)).size, WAIT).toBe(EACH)
}, 60_000)

test('B17: each earlier command in the queue, of the same or another batch, adds one second to the validity', async () => {
  bench.broker.isAway = true
  await sendOrder(serialsOf(1))
  const waitOf = ({ expiresAt, createdAt }: Command) => expiresAt - createdAt
  const emergency = { reason: 'test', priority: 'emergency' as const }
  const targets = bench.toTargets({ C1V1: 60, C1V2: 60 })
  // It is sent before the rest of the first batch.
  const urgent = await commands.service.send(toDispatch(), { ...emergency, targets })
  expect(urgent.commands.map(waitOf).toSorted()).toEqual([60_000, 61_000])
  // 37 of the first batch and the two emergencies.
  expect((await sendOrder(['C1V3', 'C2V1'])).commands.map(waitOf).toSorted()).toEqual([60_000, 99_000])
  expect((await sendOrder(['C1V4'], 90)).commands.map(waitOf)).toEqual([90_000])
})

test('B14: nothing is published to a gateway that is not connected; a command past its deadline expires', async () => {
  bench.broker.gone.add('C1')
  bench.broker.gone.add('C2')
  const { batch } = await sendOrder(['C1V1', 'C2V1', 'C3V1'], 60)
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 1, queued: 2 })
  bench.broker.gone.delete('C1')
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 2, queued: 1 })
  expect(bench.published.map(({ topic }) => topic.split('/')[3]).toSorted()).toEqual(['C1', 'C3'])
  bench.clock.shiftMs = 10 * MINUTE_MS
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ unknown: 2, expired: 1 })
})

test('B9: a sleeping gateway gets commands only after a report, and they are valid for two days', async () => {
  const { commands: given } = await sendOrder(['S1'])
  const [command] = given
  if (!command) throw new Error('one was given')
  expect(command.expiresAt - command.createdAt).toBe(48 * HOUR_MS)
  const other = await sendOrder(['C1V1'])
  await expect.poll(() => countsOf(other.batch.id), WAIT).toEqual({ sent: 1 })
  expect(publishedTo('S1')).toHaveLength(0)
  commands.recordUplink(bench.idOf('S1'))
  await expect.poll(() => publishedTo('S1').length, WAIT).toBe(1)
  // Repeated with the same id after its next report, not before.
  bench.clock.shiftMs = HOUR_MS
  const later = await sendOrder(['C1V2'])
  await expect.poll(() => countsOf(later.batch.id), WAIT).toEqual({ sent: 1 })
  expect(publishedTo('S1')).toHaveLength(1)
  commands.recordUplink(bench.idOf('S1'))
  await expect
    .poll(() => publishedTo('S1').map(({ body }) => body.id), WAIT)
    .toEqual([command.id, command.id])
})

test('B10: only one replica works on a queue; if it ends, another one continues', async () => {
  const other = await bench.start()
  const third = await bench.start()
  const { batch } = await sendOrder(serialsOf(1, 2, 3))
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ sent: 96, queued: 24 })
  // Each command was published once, and each queue in the order of the request.
  expect(new Set(bench.published.map(({ body }) => body.id)).size).toBe(bench.published.length)
  await Promise.all([commands.close(), third.close()])
  for (const command of await listOf(batch.id)) {
    if (command.state === 'sent') {
      await other.acceptReply(
        { tenant: 'test', gateway: gatewayOf(command) },
        toReply(command.id, command.deviceName, 'accepted'),
      )
    }
  }
  await expect.poll(() => countsOf(batch.id), WAIT).toEqual({ accepted: 96, sent: 24 })
  // A replica that died during a queue owns it until its lease ends.
  const now = bench.clock.now()
  await bench.db
    .insertInto('command_lane')
    .values({ id: bench.idOf('C1'), worker: 'dead', lease_until_ms: now + MINUTE_MS })
    .execute()
  const next = await sendOrder(['C1V1', 'C2V1'])
  await expect.poll(() => countsOf(next.batch.id), WAIT).toEqual({ sent: 1, queued: 1 })
  await bench.db
    .updateTable('command_lane')
    .set({ lease_until_ms: now })
    .where('worker', '=', 'dead')
    .execute()
  await expect.poll(() => countsOf(next.batch.id), WAIT).toEqual({ sent: 2 })
  await other.close()
  commands = await bench.start()
}, 60_000)

test('B11: a user who may not see all valves of a batch sees the progress of the others and cannot act', async () => {
  const { batch } = await sendOrder(['C1V1', 'C2V1', 'C3V1'])
  const { path } = await bench.db
    .selectFrom('node')
    .select('path')
    .where('key', '=', 'n8')
    .executeTakeFirstOrThrow()
  const scope = { kind: 'paths', paths: [path] } as const
  const partly = { ...toDispatch(), caller: { ...dispatcher, scope } }
  expect(await commands.batches.get(partly.caller, batch.id)).toMatchObject({ total: 2, abilities: [] })
  for (const act of ['pause', 'cancel', 'retry'] as const) {
    await expect(commands.batches[act](partly, batch.id)).rejects.toMatchObject({
      code: 'command-batch.not-now',
    })
  }
  const nothing = { ...dispatcher, scope: { kind: 'paths', paths: ['/999/'] } as const }
  await expect(commands.batches.get(nothing, batch.id)).rejects.toMatchObject({
    code: 'command-batch.not-found',
  })
  expect(await commands.batches.list(nothing, { limiter: { page: 1, size: 10 } })).toEqual({
    datalist: [],
    total: 0,
  })
})

test('the place of a batch follows the current places of its valves', async () => {
  const updates: BatchUpdate[] = []
  commands.onBatch((update) => updates.push(update))
  const { batch } = await sendOrder(['C1V1', 'C1V2'])
  const building = '/1/2/3/4/5/6/'
  const findNode = async (key: string) => {
    const found = bench.db.selectFrom('node').select(['id', 'path']).where('key', '=', key)
    return found.executeTakeFirstOrThrow()
  }
  const [unit, otherUnit] = [await findNode('n7'), await findNode('n8')]
  const placeOf = () => updates.at(-1)?.path
  const move = async (to: number) => {
    await bench.db.updateTable('device').set({ node_id: to }).where('serial', '=', 'C1V2').execute()
    await sql`select pg_notify('batch_changed', ${batch.id})`.execute(bench.db)
  }
  await expect.poll(placeOf, WAIT).toBe(otherUnit.path)
  try {
    await move(unit.id)
    await expect.poll(placeOf, WAIT).toBe(building)
  } finally {
    await move(otherUnit.id)
  }
  await expect.poll(placeOf, WAIT).toBe(otherUnit.path)
})

test('B12: ten thousand commands are stored together or not at all', async () => {
  const wide = await startCommandsBench(createWideRegistry(25, 400))
  const many = await wide.start()
  try {
    wide.broker.isAway = true
    const serials = Array.from(
      { length: 10_000 },
      (_, index) => `C${1 + (index % 25)}V${1 + Math.floor(index / 25)}`,
    )
    const targets = serials.map((serial) => ({ deviceId: wide.idOf(serial), openingPct: 60 }))
    const outside = targets.map((target, index) =>
      index % 2_000 === 7 ? { ...target, openingPct: 5 } : target,
    )
    await expect(many.service.send(toDispatch(), { targets: outside, reason: '' })).rejects.toMatchObject({
      code: 'command.outside-limits',
      params: { count: 5 },
    })
    expect(await many.countOpen()).toEqual(new Map())
    const { batch, commands: answered } = await many.service.send(toDispatch(), { targets, reason: 'all' })
    expect(batch.total).toBe(10_000)
    expect(answered).toHaveLength(1_000)
    expect(await many.countOpen()).toEqual(new Map([['queued', 10_000]]))
  } finally {
    await many.close()
    await wide.close()
  }
}, 120_000)

test('batches are listed below nodes by any of their commands, and counted whole', async () => {
  const found = bench.db.selectFrom('node').select('uuid').where('key', '=', 'n6')
  const { uuid } = await found.executeTakeFirstOrThrow()
  if (!uuid) throw new Error('the building has no uuid')
  // C2 is in the first unit, C1 in the second.
  const { batchId: second } = await sendOrder(['C1V1'])
  const { batchId: both } = await sendOrder(['C1V2', 'C2V1'])
  const listBelow = async (unit: string) => {
    const nodes = [toAddressKey(uuid, 1, unit)]
    return (await commands.batches.list(dispatcher, { nodes, limiter: { page: 1, size: 10 } })).datalist
  }
  expect((await listBelow('1单元')).map(({ id, total }) => [id, total])).toEqual([[both, 2]])
  expect((await listBelow('2单元')).map(({ id }) => id)).toEqual([both, second])
})
