import { permissions } from '@isotherm/contract/access/permissions'
import { USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { createTestOperation } from '../../../platform/operation/operation.testkit.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createWideRegistry, startCommandsBench, toDispatch, toReply } from '../commands.testkit.ts'
import type { Commands } from '../index.ts'

const station: RegistryFile['devices'][number] = {
  serial: 'ST',
  name: '站控',
  kind: 'station',
  model: 's',
  node: 'n4',
  concentrator: 'C1',
  periodS: 5,
}
const made = createWideRegistry(1, 1)
let bench: Awaited<ReturnType<typeof startCommandsBench>>
let commands: Commands
let stationId: number
/** Readings of the station. */
let metrics: Record<string, number>

beforeAll(async () => {
  const installed = { ...made, devices: [...made.devices, station] }
  bench = await startCommandsBench(installed, (id) => (id === stationId ? metrics : undefined))
  stationId = bench.idOf('ST')
}, 120_000)
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  metrics = { 'pressure.supply': 385, 'pressure.return': 300, 'pump.target': 0 }
  commands = await bench.start()
})
afterEach(() => commands.close())

const order = (headKpa: number) => ({ deviceId: bench.idOf('ST'), headKpa, reason: 'test' })
const sendOrder = (headKpa: number, more: object = {}) =>
  commands.pumps.setHead(toDispatch(), { ...order(headKpa), ...more })
const stateOf = async (id: string) => {
  const { datalist } = await commands.service.list(toDispatch().caller, { limiter: { page: 1, size: 50 } })
  return datalist.find((command) => command.id === id)?.state
}
async function pump() {
  const [found] = await commands.pumps.list(toDispatch().caller, [bench.idOf('ST')])
  return found
}

it('C19 sends a head to its station, and only a measured head confirms it, not the reply', async () => {
  const { command, batch } = await sendOrder(70)
  expect(command).toMatchObject({ kind: 'pump.set', headKpa: 70, previousKpa: 85, state: 'queued' })
  expect(command.openingPct).toBeUndefined()
  expect(batch).toMatchObject({ total: 1, priority: 'manual', actor: 'dispatcher', reason: 'test' })
  await expect.poll(() => bench.published).toHaveLength(1)
  expect(bench.published[0]).toMatchObject({
    topic: 'hx/v1/test/C1/down/cmd',
    body: { id: command.id, dev: 'ST', do: 'pump.set', args: { head: 70 } },
  })
  const from = { tenant: 'test', gateway: 'C1' }
  await commands.acceptReply(from, toReply(command.id, 'ST', 'accepted'))
  await commands.acceptReply(from, toReply(command.id, 'ST', 'done'))
  const at = { deviceId: bench.idOf('ST'), ts: Date.now() + 1_000 }
  commands.observeHead({ ...at, headKpa: 85 })
  // An opening of 70 % does not confirm a head of 70 kPa.
  commands.observeOpening({ ...at, openingPct: 70 })
  await expect.poll(() => stateOf(command.id)).toBe('done')
  commands.observeHead({ ...at, ts: at.ts + 1_000, headKpa: 72.9 })
  await expect.poll(() => stateOf(command.id)).toBe('confirmed')
})

it('fails with the code of the device, expires, and is superseded by a newer one', async () => {
  const failed = await sendOrder(70)
  await expect.poll(() => bench.published).toHaveLength(1)
  await commands.acceptReply({ tenant: 'test', gateway: 'C1' }, toReply(failed.command.id, 'ST', 'done', 500))
  await expect.poll(() => stateOf(failed.command.id)).toBe('failed')
  bench.broker.isAway = true
  const [older, newer] = [await sendOrder(75), await sendOrder(80)]
  expect(await stateOf(older.command.id)).toBe('superseded')
  // A command that is being sent may have reached the device and would end unknown.
  const listPostponed = () =>
    bench.db
      .selectFrom('command')
      .where('id', '=', newer.command.id)
      .where('attempts', '=', 0)
      .whereRef('next_attempt_ms', '>', 'created_ms')
      .select('id')
      .execute()
  await expect.poll(async () => (await listPostponed()).length).toBe(1)
  bench.clock.shiftMs = HOUR_MS
  await expect.poll(() => stateOf(newer.command.id)).toBe('expired')
})

it('sends a failed head again as the retry of its batch', async () => {
  const { command, batch } = await sendOrder(70)
  await expect.poll(() => bench.published).toHaveLength(1)
  await commands.acceptReply({ tenant: 'test', gateway: 'C1' }, toReply(command.id, 'ST', 'done', 500))
  await expect.poll(() => stateOf(command.id)).toBe('failed')
  const again = await commands.batches.retry(toDispatch(), batch.id)
  expect(again).toMatchObject({ retryOf: batch.id, total: 1 })
  expect(await pump()).toMatchObject({ command: { kind: 'pump.set', headKpa: 70, batchId: again.id } })
})

it('C20 refuses heads outside of the limits or default limits, and steps that are too large', async () => {
  expect(await pump()).toMatchObject({ limits: USUAL_PUMP_LIMITS, version: 0, headKpa: 85, takesHead: true })
  const outside = { code: 'command.head-outside' }
  await expect(sendOrder(USUAL_PUMP_LIMITS.minHeadKpa - 1)).rejects.toMatchObject(outside)
  const limits = { minHeadKpa: 60, maxHeadKpa: 120, maxStepKpa: 20 }
  const set = { deviceId: bench.idOf('ST'), version: 0, limits }
  expect(await commands.pumps.setLimits(toDispatch(), set)).toMatchObject({ limits, version: 1 })
  await expect(commands.pumps.setLimits(toDispatch(), set)).rejects.toMatchObject({ code: 'entity.stale' })
  await expect(sendOrder(106)).rejects.toMatchObject({
    ...outside,
    params: { device: '站控', minKpa: 65, maxKpa: 105 },
  })
  await expect(sendOrder(64)).rejects.toMatchObject(outside)
  await expect(sendOrder(121, { priority: 'emergency' })).rejects.toMatchObject(outside)
  await expect(commands.pumps.requireHead(toDispatch().caller, order(106))).rejects.toMatchObject(outside)
  await commands.pumps.requireHead(toDispatch().caller, order(105))
  expect((await sendOrder(120, { priority: 'emergency' })).command.headKpa).toBe(120)
  // Without a measured head the step counts from the setpoint.
  metrics = { 'pump.target': 80 }
  await expect(sendOrder(101)).rejects.toMatchObject({ ...outside, params: { minKpa: 60, maxKpa: 100 } })
  await expect(commands.pumps.requireHead(toDispatch().caller, order(101))).rejects.toMatchObject(outside)
  metrics = { 'pressure.supply': 345, 'pressure.return': 300, 'pump.target': 80 }
  // A head below the limits may move towards them.
  expect((await sendOrder(65)).command.headKpa).toBe(65)
})

it('C21 refuses a head for a device that is not a station, accepts no head, or is outside of the scope', async () => {
  const notControllable = { code: 'device.not-controllable' }
  await expect(commands.pumps.list(toDispatch().caller, [bench.idOf('C1')])).rejects.toMatchObject(
    notControllable,
  )
  metrics = { 'pressure.supply': 385, 'pressure.return': 300 }
  await expect(sendOrder(70)).rejects.toMatchObject(notControllable)
  expect(await pump()).toMatchObject({ takesHead: false, abilities: [] })
  const withoutScope = createTestCall({ scope: { kind: 'paths', paths: ['/999/'] } })
  await expect(commands.pumps.setHead(withoutScope, order(70))).rejects.toMatchObject({
    code: 'device.not-found',
  })
})

it('holds a head against lower priorities, and reports the hold', async () => {
  const holdUntil = bench.clock.now() + HOUR_MS
  await sendOrder(70, { holdUntil })
  expect((await pump())?.hold).toMatchObject({ priority: 'manual', headKpa: 70, actor: 'dispatcher' })
  const held = { code: 'command.held' }
  await expect(sendOrder(80, { priority: 'balancing' })).rejects.toMatchObject(held)
  const head = { ...order(80), priority: 'balancing' } as const
  await expect(commands.pumps.requireHead(toDispatch().caller, head)).rejects.toMatchObject(held)
  await sendOrder(80)
  expect((await pump())?.hold).toBeUndefined()
})

it('C20 keeps the limits of a pump when its controller is replaced', async () => {
  const limits = { minHeadKpa: 60, maxHeadKpa: 120, maxStepKpa: 20 }
  const id = bench.idOf('ST')
  await commands.pumps.setLimits(toDispatch(), { deviceId: id, version: 0, limits })
  const { version } = await bench.registered.service.getDevice(scopeOfEverything, id)
  const call = { ...createTestCall({ permissions: new Set(permissions) }), operation: createTestOperation() }
  const { device } = await bench.registered.changes.replace(call, { id, version, imei: 'ST-new' })
  const [pump] = await commands.pumps.list(toDispatch().caller, [device.id])
  expect(pump).toMatchObject({ limits })
})
