import type { CommandState } from '@isotherm/contract/command'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type CommandsBench,
  createOrderSender,
  dispatcher,
  startCommandsBench,
  toDispatch,
  toReply,
} from '../commands.testkit.ts'
import type { Commands } from '../index.ts'
import { createEventWriter } from '../store/event-writer.pg.ts'

const sender = { tenant: 'test', gateway: 'C1' }

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

const reaches = (id: string, state: CommandState) => expect.poll(() => stateOf(id)).toBe(state)

test('a command goes from queued to confirmed, and listeners are notified', async () => {
  const states: CommandState[] = []
  commands.onChanged(({ command }) => states.push(command.state))
  const given = await sendOne('V1', 60)
  expect(given).toMatchObject({ openingPct: 60, previousPct: 35, actor: 'dispatcher', reason: 'test' })
  await reaches(given.id, 'sent')
  expect(bench.published[0]).toMatchObject({
    topic: 'hx/v1/test/C1/down/cmd',
    body: { id: given.id, dev: 'V1', do: 'valve.set', args: { opening: 60 } },
  })
  await commands.acceptDelivery(Buffer.from(JSON.stringify(bench.published[0]?.body)))
  await reaches(given.id, 'delivered')
  await commands.acceptReply(sender, toReply(given.id, 'V1', 'accepted'))
  await reaches(given.id, 'accepted')
  const doneAt = Date.now()
  await commands.acceptReply(sender, toReply(given.id, 'V1', 'done', 0, doneAt))
  expect(await stateOf(given.id)).toBe('done')
  commands.observeOpening({ deviceId: bench.idOf('V1'), ts: doneAt - 1, openingPct: 60 })
  commands.observeOpening({ deviceId: bench.idOf('V1'), ts: doneAt, openingPct: 50 })
  expect(await stateOf(given.id)).toBe('done')
  commands.observeOpening({ deviceId: bench.idOf('V1'), ts: doneAt + 1, openingPct: 58 })
  await reaches(given.id, 'confirmed')
  await expect.poll(() => states.at(-1)).toBe('confirmed')
  expect(new Set(states)).toContain('sent')
})

test.each(['chirpstack-mqtt', 'northbound-http'])(
  'a command to a valve that its gateway reaches by %s is valid for three of its report periods',
  async (driver) => {
    const line = { driver, id: 'A1', devices: [{ serial: 'V1' }] }
    const other = { driver: 'dtu-tcp', id: 'L1', devices: [{ serial: 'V2' }] }
    const gateway = await bench.db
      .selectFrom('device')
      .select(['id', 'company_id'])
      .where('serial', '=', 'C1')
      .executeTakeFirstOrThrow()
    await sql`
    insert into gateway_config (company_id, device_id, config, line_count, device_count)
    values (${gateway.company_id}, ${gateway.id}, ${JSON.stringify({ v: 1, lines: [line, other] })}::jsonb, 2, 2)`.execute(
      bench.db,
    )
    try {
      const [radio, bus] = [await sendOne('V1', 60), await sendOne('V2', 60)]
      expect(radio.expiresAt - radio.createdAt).toBe(MINUTE_MS + 3 * 5_000)
      expect(bus.expiresAt - bus.createdAt).toBeLessThan(MINUTE_MS + 5_000)
    } finally {
      await sql`delete from gateway_config`.execute(bench.db)
    }
  },
)

test('C9: a batch is stored completely or not at all', async () => {
  await expect(sendOrder({ V1: 50, V2: 5 })).rejects.toMatchObject({
    code: 'command.outside-limits',
    params: { count: 1, devices: 'V2 (10–100 %)' },
  })
  await expect(sendOrder({ V1: 50, M1: 50 })).rejects.toMatchObject({ code: 'device.not-controllable' })
  const { total } = await commands.service.list(dispatcher, { limiter: { page: 1, size: 10 } })
  expect(total).toBe(0)
})

test('C10: commands to one valve have increasing revisions, and the newer supersedes the older', async () => {
  const first = await sendOne('V1', 40)
  await reaches(first.id, 'sent')
  const second = await sendOne('V1', 70)
  await reaches(first.id, 'superseded')
  await reaches(second.id, 'sent')
  const revs = bench.published.map(({ body }) => Number(body.rev))
  expect(revs[1]).toBeGreaterThan(revs[0] ?? 0)
})

test('C11: commands stored while the broker was unavailable are sent after a restart', async () => {
  bench.broker.isAway = true
  const given = await sendOne('V1', 45)
  await commands.close()
  expect(await stateOf(given.id)).toBe('queued')
  bench.broker.isAway = false
  commands = await bench.start()
  await reaches(given.id, 'sent')
})

test('C11: after a restart a reading confirms a command that was done before', async () => {
  const given = await sendOne('V1', 45)
  await reaches(given.id, 'sent')
  await commands.acceptReply(sender, toReply(given.id, 'V1', 'done'))
  await commands.close()
  commands = await bench.start()
  commands.observeOpening({ deviceId: bench.idOf('V1'), ts: Date.now() + 1, openingPct: 45 })
  await reaches(given.id, 'confirmed')
})

test('a command without an answer is repeated with the same id, and ends unknown', async () => {
  const given = await sendOne('V1', 45)
  await reaches(given.id, 'sent')
  bench.clock.shiftMs = 31_000
  await expect.poll(() => bench.published.length).toBe(2)
  expect(bench.published.map(({ body }) => body.id)).toEqual([given.id, given.id])
  bench.clock.shiftMs = 11 * MINUTE_MS
  await reaches(given.id, 'unknown')
})

test('a command that the broker never accepted expires', async () => {
  bench.broker.isAway = true
  const given = await sendOne('V1', 45)
  // No attempt is in progress when the clock jumps.
  await commands.close()
  bench.clock.shiftMs = 11 * MINUTE_MS
  commands = await bench.start()
  await reaches(given.id, 'expired')
})

test('a command that is done but never confirmed by a reading ends unknown', async () => {
  const given = await sendOne('V1', 45)
  await reaches(given.id, 'sent')
  await commands.acceptReply(sender, toReply(given.id, 'V1', 'done'))
  bench.clock.shiftMs = 2 * MINUTE_MS
  await reaches(given.id, 'unknown')
})

test.each([
  [500, 'failed'],
  [409, 'superseded'],
  [410, 'expired'],
] as const)('a device that answers %s leaves the command %s', async (code, state) => {
  const given = await sendOne('V2', 45)
  await reaches(given.id, 'sent')
  expect(await commands.acceptReply(sender, toReply(given.id, 'V2', 'accepted', code))).toBeUndefined()
  expect(await stateOf(given.id)).toBe(state)
})

test('a reply from another gateway, for another device or for no command changes nothing', async () => {
  const given = await sendOne('V1', 45)
  await reaches(given.id, 'sent')
  const reply = toReply(given.id, 'V1', 'done')
  expect(await commands.acceptReply({ ...sender, gateway: 'C2' }, reply)).toBe('unknown-command')
  expect(await commands.acceptReply({ ...sender, tenant: 'other' }, reply)).toBe('unknown-command')
  expect(await commands.acceptReply(sender, toReply(given.id, 'V2', 'done'))).toBe('unknown-command')
  expect(await commands.acceptReply(sender, toReply('01NONE', 'V1', 'done'))).toBe('unknown-command')
  expect(await commands.acceptReply(sender, Buffer.from('{'))).toBe('malformed-json')
  expect(await commands.acceptReply(sender, Buffer.from('{}'))).toBe('wrong-schema')
  expect(await stateOf(given.id)).toBe('sent')
})

test('a waiting command can be cancelled, a sent one cannot', async () => {
  const sent = await sendOne('V1', 45)
  await reaches(sent.id, 'sent')
  await expect(commands.service.cancel(toDispatch(), [sent.id])).rejects.toMatchObject({
    code: 'command.not-cancellable',
  })
  bench.broker.isAway = true
  const waiting = await sendOne('V2', 45)
  // Refused only during an attempt to send it.
  const tryCancel = () => commands.service.cancel(toDispatch(), [waiting.id]).catch(() => [])
  await expect.poll(async () => (await tryCancel())[0]?.state).toBe('cancelled')
})

test('a caller sees and controls only devices in their scope', async () => {
  const given = await sendOne('V1', 45)
  const foreign = { ...dispatcher, scope: { kind: 'paths', paths: ['/999/'] } as const }
  const asForeign = { ...toDispatch(), caller: foreign }
  const target = { deviceId: bench.idOf('V1'), openingPct: 50 }
  await expect(commands.service.send(asForeign, { targets: [target], reason: '' })).rejects.toMatchObject({
    code: 'device.not-found',
  })
  await expect(commands.service.cancel(asForeign, [given.id])).rejects.toMatchObject({
    code: 'command.not-found',
  })
  const { total } = await commands.service.list(foreign, { limiter: { page: 1, size: 10 } })
  expect(total).toBe(0)
  await expect(commands.service.listLast(foreign, [bench.idOf('V1')])).rejects.toMatchObject({
    code: 'device.not-found',
  })
})

test('the log lists newest first and by batch, the last command of each valve by valve', async () => {
  await sendOne('V1', 30)
  const batch = await sendOrder({ V1: 50, V2: 60 })
  const log = await commands.service.list(dispatcher, { limiter: { page: 1, size: 2 } })
  expect(log.total).toBe(3)
  expect(log.datalist.map(({ batchId }) => batchId)).toEqual(batch.map(({ batchId }) => batchId))
  const batchId = batch[0]?.batchId ?? ''
  const ofBatch = await commands.service.list(dispatcher, { batchId, limiter: { page: 1, size: 10 } })
  expect(ofBatch.datalist.map(({ openingPct }) => openingPct)).toEqual([50, 60])
  const last = await commands.service.listLast(dispatcher, [bench.idOf('V1'), bench.idOf('V2')])
  expect(last.map(({ openingPct }) => openingPct).toSorted()).toEqual([50, 60])
})

test('concurrent orders to the same valves do not deadlock while the dispatcher runs', async () => {
  for (let round = 0; round < 15; round += 1) {
    await Promise.all([sendOrder({ V1: 40 }), sendOrder({ V2: 41, V1: 20 }), sendOrder({ V1: 50, V2: 60 })])
  }
  const open = await bench.db
    .selectFrom('command')
    .where('deadline_ms', 'is not', null)
    .select('device_id')
    .execute()
  expect(open.map((row) => row.device_id).toSorted()).toEqual([bench.idOf('V1'), bench.idOf('V2')].toSorted())
}, 90_000)

test('a deadline that an answer has moved does not end the command', async () => {
  const given = await sendOne('V1', 45)
  await reaches(given.id, 'sent')
  await commands.acceptReply(sender, toReply(given.id, 'V1', 'done'))
  const apply = createEventWriter(bench.db, bench.clock)
  expect(await apply(given.id, 'deadline', { at: bench.clock.now() })).toBeUndefined()
  expect(await stateOf(given.id)).toBe('done')
})

test('the next reading confirms a command also if the clock of the device runs ahead', async () => {
  const given = await sendOne('V1', 45)
  await reaches(given.id, 'sent')
  await commands.acceptReply(sender, toReply(given.id, 'V1', 'done', 0, Date.now() + HOUR_MS))
  commands.observeOpening({ deviceId: bench.idOf('V1'), ts: Date.now() + 1, openingPct: 45 })
  await reaches(given.id, 'confirmed')
})

test('an older reading that arrives late does not confirm a command', async () => {
  const given = await sendOne('V2', 45)
  await reaches(given.id, 'sent')
  const deviceId = bench.idOf('V2')
  commands.observeOpening({ deviceId, ts: Date.now() + MINUTE_MS, openingPct: 80 })
  await commands.acceptReply(sender, toReply(given.id, 'V2', 'done'))
  commands.observeOpening({ deviceId, ts: Date.now() + 30_000, openingPct: 45 })
  expect(await stateOf(given.id)).toBe('done')
})
