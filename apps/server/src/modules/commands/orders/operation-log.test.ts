import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CommandsBench, startCommandsBench, toDispatch } from '../commands.testkit.ts'
import type { Commands } from '../index.ts'

let bench: CommandsBench
let commands: Commands

beforeAll(async () => {
  bench = await startCommandsBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.broker.isAway = true
  commands = await bench.start()
})
afterEach(() => commands.close())

const sendOrder = (openings: Readonly<Record<string, number>>) =>
  commands.service.send(toDispatch(), { targets: bench.toTargets(openings), reason: '供热' })

const findDevice = (serial: string) =>
  bench.db
    .selectFrom('device')
    .select(['last_open_set_pct', 'last_open_set_at', 'version'])
    .where('id', '=', bench.idOf(serial))
    .executeTakeFirstOrThrow()

const listChanges = (entity: string, id: string | number) =>
  bench.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_change.operation_id')
    .select(['operation.account', 'action', 'path', 'before', 'after'])
    .where('entity', '=', entity)
    .where('entity_id', '=', String(id))
    .orderBy('operation_change.id')
    .execute()

const countOperations = async () =>
  (
    await bench.db
      .selectFrom('operation')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

const pathOf = async (serial: string): Promise<string> => {
  const { path } = await bench.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select('path')
    .where('device.id', '=', bench.idOf(serial))
    .executeTakeFirstOrThrow()
  return `${path}d${bench.idOf(serial)}/`
}

test('C12: the operation log contains a command with place, opening and reason, and its cancellation', async () => {
  const { batchId, commands: given } = await sendOrder({ V1: 40 })
  const id = given[0]?.id ?? ''
  const added = {
    device_id: bench.idOf('V1'),
    opening_pct: 40,
    previous_pct: 35,
    batch_id: batchId,
    reason: '供热',
    priority: 'manual',
    expires_ms: given[0]?.expiresAt,
    // Of a station.
    head_kpa: null,
    previous_kpa: null,
    offset_k: null,
    previous_k: null,
  }
  const [path, account] = [await pathOf('V1'), 'dispatcher']
  expect(await listChanges('command', id)).toEqual([
    { account, action: 'added', path, before: null, after: added },
  ])
  await commands.close()
  await bench.db.updateTable('command').set({ attempts: 0 }).where('id', '=', id).execute()
  await commands.service.cancel(toDispatch(), [id])
  expect((await listChanges('command', id)).at(-1)).toEqual({
    account,
    action: 'changed',
    path,
    before: { state: 'queued' },
    after: { state: 'cancelled' },
  })
})

test('a batch with one refused command stores no commands, no openings and no log entry', async () => {
  await sendOrder({ V1: 42, V2: 42 })
  const before = await countOperations()
  await expect(sendOrder({ V1: 50, V2: 5 })).rejects.toMatchObject({ code: 'command.outside-limits' })
  expect(await countOperations()).toBe(before)
  expect((await findDevice('V1')).last_open_set_pct).toBe(42)
})

test('C13: a command records the last requested opening, which makes no edit of the valve stale', async () => {
  await sendOrder({ V1: 44 })
  const { version } = await findDevice('V1')
  await sendOrder({ V1: 66 })
  const found = await findDevice('V1')
  expect(found).toMatchObject({ last_open_set_pct: 66, version })
  expect(Math.abs(Date.now() - (found.last_open_set_at?.getTime() ?? 0))).toBeLessThan(60_000)
  expect((await listChanges('device', bench.idOf('V1'))).at(-1)).toEqual({
    account: 'dispatcher',
    action: 'changed',
    path: await pathOf('V1'),
    before: { last_open_set_pct: 44 },
    after: { last_open_set_pct: 66 },
  })
})

test('§7 Dev/ZupdateDevLastOpenset: an opening set by hand is recorded, unless it is older than the known one', async () => {
  const deviceId = bench.idOf('V2')
  const at = Date.now() + 1
  bench.clock.shiftMs = 10_000
  const note = (openingPct: number, when: number) =>
    commands.service.recordOpenings(toDispatch(), [{ deviceId, openingPct, at: when }])
  expect(await note(20, at)).toEqual([{ deviceId, lastOpenSetPct: 20, lastOpenSetAt: at }])
  expect(await note(80, at - 1_000)).toEqual([{ deviceId, lastOpenSetPct: 20, lastOpenSetAt: at }])
  expect(await note(30, at + 1)).toEqual([{ deviceId, lastOpenSetPct: 30, lastOpenSetAt: at + 1 }])
  // A client's clock that is a little ahead is taken for now.
  const now = bench.clock.now()
  const [noted] = await note(35, now + 20_000)
  expect(noted?.lastOpenSetAt).toBeLessThan(now + 20_000)
  bench.clock.shiftMs = 0
})

test.each([
  ['the far future', { at: Date.now() + HOUR_MS }, 'request.malformed'],
  ['a heat meter', { serial: 'M1' }, 'device.not-controllable'],
])(
  'an opening of %s is refused',
  async (_, { at, serial = 'V1' }: { at?: number; serial?: string }, code) => {
    const item = { deviceId: bench.idOf(serial), openingPct: 20, ...(at === undefined ? {} : { at }) }
    await expect(commands.service.recordOpenings(toDispatch(), [item])).rejects.toMatchObject({ code })
  },
)

test('a valve can occur only once in a call', async () => {
  const item = { deviceId: bench.idOf('V1'), openingPct: 20 }
  await expect(commands.service.recordOpenings(toDispatch(), [item, item])).rejects.toMatchObject({
    code: 'request.malformed',
  })
})

test('C15: a retired valve accepts no commands', async () => {
  const id = bench.idOf('V2')
  await bench.db.updateTable('device').set({ retired_at: new Date() }).where('id', '=', id).execute()
  await expect(sendOrder({ V2: 50 })).rejects.toMatchObject({ code: 'device.not-controllable' })
})
