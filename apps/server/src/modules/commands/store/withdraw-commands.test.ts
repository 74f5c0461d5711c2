import { permissions } from '@isotherm/contract/access/permissions'
import type { Command } from '@isotherm/contract/command'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { createTestOperation } from '../../../platform/operation/operation.testkit.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { type CommandsBench, startCommandsBench, toDispatch, toReply } from '../commands.testkit.ts'
import type { Commands } from '../index.ts'

let bench: CommandsBench
let commands: Commands

beforeAll(async () => {
  bench = await startCommandsBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.published.length = 0
  bench.broker.isAway = false
  commands = await bench.start()
})
afterEach(() => commands.close())

const toChange = () => ({
  ...createTestCall({ permissions: new Set(permissions) }),
  operation: createTestOperation({ account: 'registrar' }),
})

async function sendOne(deviceId: number, openingPct = 60): Promise<Command> {
  const targets = [{ deviceId, openingPct }]
  const { commands: given } = await commands.service.send(toDispatch(), { targets, reason: 'test' })
  const [command] = given
  if (!command) throw new Error('no command')
  return command
}

const itemOf = async (id: number) => {
  const device = await bench.registered.service.getDevice(scopeOfEverything, id)
  return { id, version: device.version }
}

const stateOf = async (id: string) =>
  (await bench.db.selectFrom('command').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

const lastEventOf = (id: string) =>
  bench.db
    .selectFrom('command_event')
    .select(['event', 'to_state', 'detail'])
    .where('command_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

const retire = async (id: number) =>
  bench.registered.changes.change(toChange(), [await itemOf(id)], { use: 'retired' })
const reuse = async (id: number) =>
  bench.registered.changes.change(toChange(), [await itemOf(id)], { use: 'in-use' })

test('C17: retiring a valve cancels its commands, and the log and the history contain the reason', async () => {
  bench.broker.isAway = true
  const valve = bench.idOf('V1')
  const given = await sendOne(valve)
  await retire(valve)
  expect(await stateOf(given.id)).toBe('cancelled')
  const end = { event: 'withdrawn', to_state: 'cancelled', detail: 'device retired' }
  expect(await lastEventOf(given.id)).toEqual(end)
  const noted = await bench.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_change.operation_id')
    .select(['operation.account', 'before', 'after'])
    .where('entity', '=', 'command')
    .where('entity_id', '=', given.id)
    .where('action', '=', 'changed')
    .execute()
  expect(noted).toEqual([
    {
      account: 'registrar',
      before: { state: 'queued' },
      after: { state: 'cancelled', cause: 'device retired' },
    },
  ])
  bench.broker.isAway = false
  await reuse(valve)
  // The next command is dispatched after the earlier ones.
  await expect.poll(() => bench.registered.directory.find('test', 'V1')).toBeDefined()
  const next = await sendOne(valve, 70)
  await expect.poll(() => bench.published.map(({ body }) => body.id)).toEqual([next.id])
})

test('C17: retiring a valve also ends accepted commands, and a late answer is recorded without effect', async () => {
  const valve = bench.idOf('V1')
  const given = await sendOne(valve, 55)
  await expect.poll(() => stateOf(given.id)).toBe('sent')
  await commands.acceptReply({ tenant: 'test', gateway: 'C1' }, toReply(given.id, 'V1', 'accepted'))
  expect(await stateOf(given.id)).toBe('accepted')
  await retire(valve)
  expect(await stateOf(given.id)).toBe('cancelled')
  await reuse(valve)
})

test('C17: a command to a replaced valve reaches neither it nor its replacement', async () => {
  bench.broker.isAway = true
  const valve = bench.idOf('V2')
  const given = await sendOne(valve)
  const replacement = { ...(await itemOf(valve)), imei: 'V2-new' }
  const { device } = await bench.registered.changes.replace(toChange(), replacement)
  expect(await lastEventOf(given.id)).toMatchObject({ to_state: 'cancelled', detail: 'device replaced' })
  await expect.poll(() => bench.registered.directory.find('test', 'V2-new')).toBeDefined()
  bench.broker.isAway = false
  const next = await sendOne(device.id, 45)
  await expect.poll(() => bench.published.length).toBeGreaterThan(0)
  expect(bench.published.map(({ body }) => body.id)).toEqual([next.id])
})

test('C17: a refused retirement cancels nothing', async () => {
  bench.broker.isAway = true
  const valve = bench.idOf('V1')
  const given = await sendOne(valve)
  const { id, version } = await itemOf(valve)
  const stale = bench.registered.changes.change(toChange(), [{ id, version: version + 1 }], {
    use: 'retired',
  })
  await expect(stale).rejects.toMatchObject({ code: 'entity.stale' })
  expect(await stateOf(given.id)).toBe('queued')
})

test('a device with commands cannot be removed', async () => {
  const id = bench.idOf('V1')
  const removal = bench.registered.changes.remove(toChange(), [await itemOf(id)], async () => undefined)
  await expect(removal).rejects.toMatchObject({ code: 'entity.in-use', params: { entity: 'command' } })
})
