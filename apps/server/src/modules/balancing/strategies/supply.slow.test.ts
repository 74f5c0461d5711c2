import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { changeStrategy } from './storage/strategy-changes.pg.ts'
import { type StrategiesBench, startStrategiesBench } from './strategies.testkit.ts'
import { byHeat, roomsFrom } from './supply.testkit.ts'

let bench: StrategiesBench
beforeAll(async () => {
  bench = await startStrategiesBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.clear()
  bench.loop.before = { heatWM2: 27, heatIntensityVariation: 0 }
  bench.loop.waves = []
})

const offsets = () => bench.field.offsets
const pass = (hours: number) => {
  bench.settings.aheadMs += hours * HOUR_MS
}
const check = async (id: number) => (await bench.get(id)).supply
const untilOffset = (offsetK: number) => expect.poll(() => bench.field.offsetK).toBe(offsetK)

test('T23: it lowers the offset while rooms allow it, in the name of its starter, and waits for rooms', async () => {
  bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  expect(await check(id)).toMatchObject({
    kind: 'lower',
    reason: 'warm',
    fromK: 0,
    toK: -1,
    measuredRooms: 100,
    coldShare: 0,
  })
  const { history } = await bench.get(id)
  expect(history.filter(({ event }) => event === 'supply')).toMatchObject([{ supply: { toK: -1 } }])
  const [order] = await bench.db.selectFrom('command').where('kind', '=', 'supply.set').selectAll().execute()
  expect(order).toMatchObject({ actor: 'balancer', priority: 'balancing', offset_k: -1 })
  pass(2)
  await expect.poll(async () => (await check(id))?.reason).toBe('not-at-rest')
  expect(offsets()).toEqual([-1])
  pass(48)
  await untilOffset(-2)
})

test('T24: cold rooms raise the offset at once', async () => {
  bench.field.offsetK = 0
  bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  bench.supplyRooms.roomsC = roomsFrom(17)
  pass(1)
  await untilOffset(0)
  expect((await bench.get(id)).history.flatMap(({ supply }) => supply ?? [])).toMatchObject([
    { kind: 'lower' },
    { kind: 'raise', reason: 'cold-rooms', toK: 0 },
  ])
})

test('T31: without new readings of rooms it does not lower the offset, and reports the reason', async () => {
  bench.supplyRooms.fresh = { roomsC: roomsFrom(22), share: 0.2 }
  bench.start()
  const id = await bench.run(byHeat)
  await expect.poll(async () => (await check(id))?.reason).toBe('not-fresh')
  bench.supplyRooms.fresh = { roomsC: roomsFrom(22), share: 1 }
  pass(1)
  await untilOffset(-1)
})

test.each(['pause', 'end'] as const)(
  'T25: a strategy that people %s restores the original offset',
  async (event) => {
    bench.field.offsetK = 1
    bench.start()
    const id = await bench.run(byHeat)
    await untilOffset(0)
    await bench.move(event, id)
    await untilOffset(1)
    expect(await check(id)).toMatchObject({ kind: 'restore', reason: 'stopped', fromK: 0, toK: 1 })
    pass(1)
    await expect.poll(async () => (await check(id))?.kind).toBe('hold')
    expect(offsets()).toEqual([0, 1])
  },
)

test('T25: without measured rooms it restores the original offset, and reports the reason', async () => {
  bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  bench.supplyRooms.measuredShare = 0.2
  pass(1)
  await untilOffset(0)
  expect(await check(id)).toMatchObject({ kind: 'restore', reason: 'not-measured' })
})

test('T25: without enough measured rooms it does nothing, and reports the reason', async () => {
  bench.supplyRooms.measuredShare = 0.2
  bench.start()
  const id = await bench.run(byHeat)
  await expect.poll(async () => (await check(id))?.reason).toBe('not-measured')
  expect(offsets()).toEqual([])
})

test('T25: a strategy whose starter lost access restores the original offset', async () => {
  const runner = bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  await runner.close()
  pass(1)
  bench.start({ findAccess: async () => undefined })
  await bench.reach(id, { state: 'paused' })
  await untilOffset(0)
})

test('T25: a plan that no longer lowers the supply restores the original offset', async () => {
  bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  await bench.move('pause', id)
  await untilOffset(0)
  const { supply: _, ...plan } = byHeat
  const { version } = await bench.get(id)
  await changeStrategy(bench.db, plan, { id, version, ...bench.who() }, bench.toOperation('updateStrategy'))
  await bench.move('start', id)
  pass(100)
  await bench.reach(id, { state: 'running' })
  expect(offsets()).toEqual([-1, 0])
})

test('T28: a strategy that ends before its first order is reported recalls the order', async () => {
  bench.field.isAway = true
  bench.start()
  const id = await bench.run(byHeat)
  await expect.poll(async () => (await check(id))?.kind).toBe('lower')
  await bench.move('end', id)
  await expect.poll(async () => (await check(id))?.kind).toBe('restore')
  const orders = await bench.db
    .selectFrom('command')
    .where('kind', '=', 'supply.set')
    .orderBy('rev', 'desc')
    .limit(2)
    .select(['offset_k as offsetK', 'state'])
    .execute()
  expect(orders).toMatchObject([{ offsetK: 0 }, { offsetK: -1, state: 'superseded' }])
  bench.field.isAway = false
  await expect.poll(offsets).toEqual([0])
  pass(1)
  await expect.poll(async () => (await check(id))?.kind).toBe('hold')
  expect(offsets()).toEqual([0])
})

test('T28: a strategy waits until another one has restored the original offset', async () => {
  const runner = bench.start()
  const first = await bench.run(byHeat)
  await untilOffset(-1)
  await runner.close()
  // It goes back in steps of 3 K.
  const { supply } = await bench.db
    .selectFrom('strategy')
    .where('id', '=', first)
    .select('supply')
    .executeTakeFirstOrThrow()
  const order = { at: bench.clock.now(), fromK: -4, toK: -5 }
  await bench.db
    .updateTable('strategy')
    .set({ supply: sql<never>`${JSON.stringify({ ...supply, order })}::jsonb` })
    .execute()
  bench.field.offsetK = -5
  bench.start()
  await bench.move('end', first)
  await untilOffset(-2)
  const second = await bench.run(byHeat)
  await expect.poll(async () => (await check(second))?.reason).toBe('not-at-rest')
  pass(1)
  await untilOffset(0)
  pass(1)
  await expect.poll(async () => (await check(first))?.kind).toBe('hold')
  // Advances hour by hour until the rooms have settled: the end of the restore may be recorded after the hour above.
  const lower = () => {
    if (bench.field.offsetK !== -1) pass(1)
    return bench.field.offsetK
  }
  await expect.poll(lower, { timeout: 60_000, interval: 1_000 }).toBe(-1)
  await bench.move('end', second)
  await untilOffset(0)
  expect(offsets()).toEqual([-1, -2, 0, -1, 0])
})

test('T29: after its node moved to another station it restores the old one at the next tick, without reading rooms', async () => {
  const runner = bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  await runner.close()
  const { planner, supply } = bench.needs
  const other = { ...bench.place, stationNodeId: bench.place.stationNodeId + 1 }
  bench.start({
    planner: { ...planner, findPlace: async () => other },
    supply: {
      ...supply,
      async readRooms() {
        throw new Error('the history is down')
      },
    },
  })
  pass(1)
  await untilOffset(0)
  expect(await bench.get(id)).toMatchObject({
    state: 'running',
    supply: { kind: 'restore', reason: 'moved', fromK: -1, toK: 0 },
  })
  pass(1)
  await expect.poll(async () => (await check(id))?.kind).toBe('hold')
  expect(await check(id)).toMatchObject({ reason: 'moved' })
  pass(50)
  await expect.poll(async () => (await check(id))?.code).toBe('balance.no-station')
  expect(offsets()).toEqual([-1, 0])
})

test('T29: a node without a station, or outside the grants of the account, restores the lowered station too', async () => {
  const runner = bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  await runner.close()
  const { planner, findAccess } = bench.needs
  bench.start({
    planner: {
      ...planner,
      async findPlace() {
        throw new AppError('balance.no-station', { node: '小区' })
      },
    },
    async findAccess(accountId) {
      const access = await findAccess(accountId)
      return access && { ...access, scope: { kind: 'paths', paths: [bench.place.nodePath] } }
    },
  })
  pass(1)
  await untilOffset(0)
  expect(await check(id)).toMatchObject({ kind: 'restore', reason: 'moved' })
})

test.each([-1, 0])('T30: an executed order of a person to %d K is the new original', async (offsetK) => {
  bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  await bench.settleCommands()
  const { caller, operation } = await bench.act()
  const deviceId = bench.toId('ST')
  await bench.supplies.setOffset({ caller, operation }, { deviceId, offsetK, reason: 'by hand' })
  await untilOffset(offsetK)
  await bench.settleCommands()
  await bench.move('end', id)
  await expect.poll(async () => (await check(id))?.reason).toBe('stopped')
  expect(await check(id)).toMatchObject({ kind: 'hold', fromK: offsetK })
  expect(offsets()).toEqual([-1, offsetK])
})

test('T30: the order of a person on its way to the station is not superseded', async () => {
  bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  await bench.settleCommands()
  bench.field.isAway = true
  const { caller, operation } = await bench.act()
  const deviceId = bench.toId('ST')
  await bench.supplies.setOffset({ caller, operation }, { deviceId, offsetK: 1, reason: 'by hand' })
  await bench.move('pause', id)
  await expect.poll(async () => (await check(id))?.reason).toBe('person-order')
  bench.field.isAway = false
  await untilOffset(1)
  await bench.settleCommands()
  pass(1)
  await expect.poll(async () => (await check(id))?.reason).toBe('stopped')
  expect(offsets()).toEqual([-1, 1])
})

test('T26: an offset that people hold stays, and the check has this reason', async () => {
  const { caller, operation } = await bench.act()
  const order = { deviceId: bench.toId('ST'), offsetK: 1, reason: 'held', holdUntil: bench.clock.now() + 9e6 }
  await bench.supplies.setOffset({ caller, operation }, order)
  await untilOffset(1)
  bench.start()
  const id = await bench.run(byHeat)
  await expect.poll(async () => (await check(id))?.reason).toBe('refused')
  expect(await check(id)).toMatchObject({ kind: 'hold', code: 'command.held' })
  expect(offsets()).toEqual([1])
})

test('T27: a runner that dies after an order continues from it, and repeats nothing', async () => {
  const first = bench.start()
  const id = await bench.run(byHeat)
  await untilOffset(-1)
  bench.drop(first)
  await bench.db.updateTable('strategy').set({ lease_until_ms: 0 }).where('id', '=', id).execute()
  pass(3)
  bench.start()
  await expect.poll(async () => (await check(id))?.reason).toBe('not-at-rest')
  expect(offsets()).toEqual([-1])
  await bench.move('end', id)
  await untilOffset(0)
  await first.close()
})

test('T32: it lowers the head once the supply that makes up for it is reported, and restores both', async () => {
  const { headKpa } = bench.field
  const untilHead = (kpa: number) => expect.poll(() => bench.field.headKpa).toBe(kpa)
  bench.start()
  const id = await bench.run({ ...byHeat, supply: { ...byHeat.supply, minHeadShare: 0.6 } })
  await untilOffset(-1)
  // The 5th percentile is 20.3 °C: a further step would leave comfort.
  bench.supplyRooms.roomsC = roomsFrom(20.1)
  bench.supplyRooms.fresh = { roomsC: roomsFrom(20.1), share: 1 }
  pass(49)
  await untilOffset(-0.5)
  expect(bench.field.heads).toEqual([])
  expect(await check(id)).toMatchObject({ kind: 'raise', reason: 'less-flow', toK: -0.5 })
  pass(1)
  const loweredKpa = Math.ceil(0.85 * headKpa)
  await untilHead(loweredKpa)
  expect(await check(id)).toMatchObject({ kind: 'lower', fromKpa: headKpa, toKpa: loweredKpa })
  const orders = await bench.db.selectFrom('command').where('kind', '=', 'pump.set').selectAll().execute()
  expect(orders).toMatchObject([{ actor: 'balancer', priority: 'balancing' }])
  await bench.move('end', id)
  await untilOffset(0)
  pass(1)
  await untilHead(headKpa)
  expect(await check(id)).toMatchObject({ kind: 'restore', reason: 'stopped', toKpa: headKpa })
})

test('T34: an offset that is refused does not keep the head lowered', async () => {
  const { headKpa } = bench.field
  const untilHead = (kpa: number) => expect.poll(() => bench.field.headKpa).toBe(kpa)
  const runner = bench.start()
  const id = await bench.run({ ...byHeat, supply: { ...byHeat.supply, minHeadShare: 0.6 } })
  await untilOffset(-1)
  bench.supplyRooms.roomsC = roomsFrom(20.1)
  bench.supplyRooms.fresh = { roomsC: roomsFrom(20.1), share: 1 }
  pass(49)
  await untilOffset(-0.5)
  pass(1)
  await untilHead(Math.ceil(0.85 * headKpa))
  await runner.close()
  const { supply } = bench.needs
  const setOffset = async () => {
    throw new AppError('command.held', { count: 1, devices: 'ST' })
  }
  bench.start({ supply: { ...supply, supplies: { ...supply.supplies, setOffset } } })
  await bench.move('end', id)
  await untilHead(headKpa)
  expect(await check(id)).toMatchObject({ kind: 'restore', reason: 'stopped', toKpa: headKpa })
  // The offset is still to be restored, and the check says why it is not.
  pass(1)
  await expect.poll(async () => (await check(id))?.code).toBe('command.held')
  expect(bench.field.offsetK).toBe(-0.5)
})

test('T33: no campaign starts while the loop responds to a head of its strategy', async () => {
  const { headKpa } = bench.field
  bench.start()
  const rules = { ...byHeat.supply, minHeadShare: 0.6 }
  const id = await bench.run({ ...byHeat, startAboveShare: 0.01, everyHours: 1, supply: rules })
  await untilOffset(-1)
  bench.supplyRooms.roomsC = roomsFrom(20.1)
  bench.supplyRooms.fresh = { roomsC: roomsFrom(20.1), share: 1 }
  pass(49)
  await untilOffset(-0.5)
  pass(1)
  await expect.poll(() => bench.field.headKpa).toBe(Math.ceil(0.85 * headKpa))
  const planned = bench.plannedModes.length
  pass(1)
  await expect.poll(async () => (await check(id))?.reason).toBe('not-at-rest')
  expect(bench.plannedModes).toHaveLength(planned)
  pass(3)
  await expect.poll(() => bench.plannedModes.length).toBeGreaterThan(planned)
})
