import { permissions } from '@isotherm/contract/access/permissions'
import { USUAL_SUPPLY_LIMITS } from '@isotherm/contract/command'
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
  metrics = {
    'pressure.supply': 385,
    'pressure.return': 300,
    'pump.target': 0,
    'temp.supply': 46.2,
    'supply.target': 46,
    'supply.offset': 0,
  }
  commands = await bench.start()
})
afterEach(() => commands.close())

const from = { tenant: 'test', gateway: 'C1' }
const order = (offsetK: number) => ({ deviceId: stationId, offsetK, reason: 'test' })
const sendOrder = (offsetK: number, more: object = {}) =>
  commands.supplies.setOffset(toDispatch(), { ...order(offsetK), ...more })
const sendHead = (headKpa: number, more: object = {}) =>
  commands.pumps.setHead(toDispatch(), { deviceId: stationId, headKpa, reason: 'test', ...more })
const stateOf = async (id: string) => {
  const { datalist } = await commands.service.list(toDispatch().caller, { limiter: { page: 1, size: 50 } })
  return datalist.find((command) => command.id === id)?.state
}
async function supply() {
  const [found] = await commands.supplies.list(toDispatch().caller, [stationId])
  return found
}
async function pump() {
  const [found] = await commands.pumps.list(toDispatch().caller, [stationId])
  return found
}

it('C22 sends an offset to its station, and only the reported offset confirms it, not the reply', async () => {
  const { command, batch } = await sendOrder(-1)
  expect(command).toMatchObject({ kind: 'supply.set', offsetK: -1, previousK: 0, state: 'queued' })
  expect(command.headKpa).toBeUndefined()
  expect(batch).toMatchObject({ total: 1, priority: 'manual', actor: 'dispatcher', reason: 'test' })
  await expect.poll(() => bench.published).toHaveLength(1)
  expect(bench.published[0]).toMatchObject({
    topic: 'hx/v1/test/C1/down/cmd',
    body: { id: command.id, dev: 'ST', do: 'supply.set', args: { offset: -1 } },
  })
  await commands.acceptReply(from, toReply(command.id, 'ST', 'accepted'))
  await commands.acceptReply(from, toReply(command.id, 'ST', 'done'))
  const at = { deviceId: stationId, ts: Date.now() + 1_000 }
  commands.observeOffset({ ...at, offsetK: 0 })
  // Neither a head nor an opening of the same number confirms it.
  commands.observeHead({ ...at, headKpa: -1 })
  commands.observeOpening({ ...at, openingPct: -1 })
  await expect.poll(() => stateOf(command.id)).toBe('done')
  commands.observeOffset({ ...at, ts: at.ts + 1_000, offsetK: -1.2 })
  await expect.poll(() => stateOf(command.id)).toBe('confirmed')
})

it('an offset of zero is a setpoint as any other', async () => {
  metrics = { ...metrics, 'supply.offset': -2 }
  const { command } = await sendOrder(0)
  expect(command).toMatchObject({ offsetK: 0, previousK: -2 })
  await expect.poll(() => bench.published).toHaveLength(1)
  expect(bench.published[0]).toMatchObject({ body: { args: { offset: 0 } } })
})

it('C23 refuses offsets outside of the limits or default limits, and steps that are too large', async () => {
  expect(await supply()).toMatchObject({
    limits: USUAL_SUPPLY_LIMITS,
    version: 0,
    takesOffset: true,
    offsetK: 0,
    supplyC: 46.2,
    targetC: 46,
  })
  const outside = { code: 'command.offset-outside' }
  await expect(sendOrder(USUAL_SUPPLY_LIMITS.maxStepK + 0.5)).rejects.toMatchObject(outside)
  const limits = { minOffsetK: -2.5, maxOffsetK: 1, maxStepK: 2 }
  const set = { deviceId: stationId, version: 0, limits }
  expect(await commands.supplies.setLimits(toDispatch(), set)).toMatchObject({ limits, version: 1 })
  await expect(commands.supplies.setLimits(toDispatch(), set)).rejects.toMatchObject({ code: 'entity.stale' })
  await expect(sendOrder(-2.1)).rejects.toMatchObject({
    ...outside,
    params: { device: '站控', minK: -2, maxK: 1 },
  })
  await expect(sendOrder(-3, { priority: 'emergency' })).rejects.toMatchObject(outside)
  await expect(commands.supplies.requireOffset(toDispatch().caller, order(-2.1))).rejects.toMatchObject(
    outside,
  )
  await commands.supplies.requireOffset(toDispatch().caller, order(-2))
  expect((await sendOrder(-2.5, { priority: 'emergency' })).command.offsetK).toBe(-2.5)
  // An offset outside of the limits may move towards them.
  metrics = { ...metrics, 'supply.offset': -6 }
  expect((await sendOrder(-2.5)).command.offsetK).toBe(-2.5)
})

it('C24 refuses an offset for a device that is not a station, accepts none, or is outside of the scope', async () => {
  const notControllable = { code: 'device.not-controllable' }
  await expect(commands.supplies.list(toDispatch().caller, [bench.idOf('C1')])).rejects.toMatchObject(
    notControllable,
  )
  // It accepts heads and no offsets: people set it at the station.
  metrics = { 'pressure.supply': 385, 'pressure.return': 300, 'pump.target': 0, 'temp.supply': 46.2 }
  await expect(sendOrder(-1)).rejects.toMatchObject(notControllable)
  expect(await supply()).toMatchObject({ takesOffset: false, supplyC: 46.2, abilities: [] })
  expect(await pump()).toMatchObject({ takesHead: true })
  const withoutScope = createTestCall({ scope: { kind: 'paths', paths: ['/999/'] } })
  await expect(commands.supplies.setOffset(withoutScope, order(-1))).rejects.toMatchObject({
    code: 'device.not-found',
  })
})

it('C25 a head and an offset of one station neither supersede, end nor refuse each other', async () => {
  const holdUntil = bench.clock.now() + HOUR_MS
  const head = await sendHead(70, { holdUntil, priority: 'emergency' })
  const offset = await sendOrder(-1, { holdUntil })
  expect((await pump())?.hold).toMatchObject({ priority: 'emergency', headKpa: 70 })
  expect((await supply())?.hold).toMatchObject({ priority: 'manual', offsetK: -1 })
  await expect.poll(() => bench.published).toHaveLength(2)
  const at = { deviceId: stationId, ts: Date.now() + 1_000 }
  for (const { command } of [head, offset])
    await commands.acceptReply(from, toReply(command.id, 'ST', 'done'))
  commands.observeOffset({ ...at, offsetK: -1 })
  commands.observeHead({ ...at, headKpa: 70 })
  await expect.poll(() => stateOf(head.command.id)).toBe('confirmed')
  await expect.poll(() => stateOf(offset.command.id)).toBe('confirmed')
  expect((await pump())?.command).toMatchObject({ kind: 'pump.set', headKpa: 70 })
  expect((await supply())?.command).toMatchObject({ kind: 'supply.set', offsetK: -1 })
  // The planner leaves out a pump whose head is held, not one whose offset is held.
  const { datalist } = await commands.holds.list(toDispatch().caller, { limiter: { page: 1, size: 9 } })
  const ofHead = datalist.filter(({ headKpa }) => headKpa !== undefined).map(({ id }) => id)
  await commands.holds.release(toDispatch(), ofHead)
  expect((await commands.holds.findHoldPriorities([stationId])).size).toBe(0)
  expect((await supply())?.hold).toBeDefined()
})

it('a newer offset supersedes an older one, and a failed one is sent again as the retry of its batch', async () => {
  bench.broker.isAway = true
  const [older, newer] = [await sendOrder(-1), await sendOrder(-2)]
  expect(await stateOf(older.command.id)).toBe('superseded')
  bench.broker.isAway = false
  await expect.poll(() => bench.published).toHaveLength(1)
  await commands.acceptReply(from, toReply(newer.command.id, 'ST', 'done', 500))
  await expect.poll(() => stateOf(newer.command.id)).toBe('failed')
  // A later head does not make the offset outdated.
  await sendHead(70)
  const again = await commands.batches.retry(toDispatch(), newer.batch.id)
  expect(again).toMatchObject({ retryOf: newer.batch.id, total: 1 })
  expect(await supply()).toMatchObject({ command: { kind: 'supply.set', offsetK: -2, batchId: again.id } })
})

it('holds an offset against lower priorities, and reports the hold', async () => {
  await sendOrder(-1, { holdUntil: bench.clock.now() + HOUR_MS })
  expect((await supply())?.hold).toMatchObject({ priority: 'manual', offsetK: -1, actor: 'dispatcher' })
  const held = { code: 'command.held' }
  await expect(sendOrder(-2, { priority: 'balancing' })).rejects.toMatchObject(held)
  const lower = { ...order(-2), priority: 'balancing' } as const
  await expect(commands.supplies.requireOffset(toDispatch().caller, lower)).rejects.toMatchObject(held)
  await sendOrder(-2)
  expect((await supply())?.hold).toBeUndefined()
})

it('C23 keeps the limits of a supply temperature when its controller is replaced', async () => {
  const limits = { minOffsetK: -2, maxOffsetK: 1, maxStepK: 2 }
  await commands.supplies.setLimits(toDispatch(), { deviceId: stationId, version: 0, limits })
  const { version } = await bench.registered.service.getDevice(scopeOfEverything, stationId)
  const call = { ...createTestCall({ permissions: new Set(permissions) }), operation: createTestOperation() }
  const { device } = await bench.registered.changes.replace(call, { id: stationId, version, imei: 'ST-new' })
  const [found] = await commands.supplies.list(toDispatch().caller, [device.id])
  expect(found).toMatchObject({ limits })
})
