import { expect, it } from 'vitest'
import {
  createTestCompany,
  execute,
  HOUR_S,
  RETURN,
  startStation,
  type TwinOnStores,
  verify,
} from './twin-on-stores.testkit.ts'

/** Spread of the true returns of the first station's units, K. */
function trueSpread({ plant }: TwinOnStores): number {
  const returnC = plant.stations[0]?.unitReturnC ?? new Float64Array()
  const mean = returnC.reduce((sum, value) => sum + value, 0) / returnC.length
  return Math.sqrt(returnC.reduce((sum, value) => sum + (value - mean) ** 2, 0) / returnC.length)
}

it('finds a stuck valve by its flow, excludes it from the trim, and ignores a frozen sensor', async () => {
  const serials = createTestCompany().stations[0]?.units.map(({ valveSerial }) => valveSerial) ?? []
  const [stuck = '', frozen = ''] = [serials[0], serials[9]]
  const { twin, place } = await startStation({
    faults: [
      { kind: 'stuck', target: stuck },
      { kind: 'frozen', target: frozen, metric: 'temp.return' },
    ],
  })
  const plan = await twin.planner.plan(place, RETURN)
  const idOf = (serial: string) => twin.ids.get(serial)
  const excluded = plan.members.filter((member) => member.excluded)
  expect(excluded).toMatchObject([{ deviceId: idOf(frozen), excluded: 'not-measured' }])
  expect(plan.steps.some(({ moves }) => moves.some(({ deviceId }) => deviceId === idOf(stuck)))).toBe(true)

  await execute(twin, place, plan)
  const verified = await verify(twin, place, plan)
  const verdicts = new Map(verified.members.map(({ deviceId, verdict }) => [deviceId, verdict]))
  expect(verdicts.get(idOf(stuck) ?? 0)).toBe('stuck')
  expect([...verdicts.values()].filter((verdict) => verdict === 'stuck')).toHaveLength(1)

  const trim = await twin.planner.trim(place, RETURN, plan, verified)
  expect(trim.members.find(({ deviceId }) => deviceId === idOf(stuck))?.excluded).toBe('stuck')
}, 120_000)

it('balances a loop without any meter by temperatures alone', async () => {
  const { twin, place } = await startStation({ flowInValves: false })
  const before = trueSpread(twin)
  const plan = await twin.planner.plan(place, RETURN)
  expect(plan.flows).toBe('temperature-only')
  expect(plan.steps.every(({ minFlowM3H }) => minFlowM3H.length === 0)).toBe(true)
  expect(await execute(twin, place, plan)).toEqual([])
  await twin.advance(HOUR_S)
  expect(trueSpread(twin)).toBeLessThan(0.4 * before)
}, 120_000)

it('equalises rooms with the existing sensors', async () => {
  const { twin, place } = await startStation()
  const plan = await twin.planner.plan(place, { kind: 'temperature', target: 'room' })
  const rooms = plan.members.map(({ before }) => before.roomC ?? Number.NaN)
  expect(rooms.every((room) => room > 15 && room < 26)).toBe(true)
  expect(plan.common).toBeGreaterThan(17)
  expect(plan.steps.length).toBeGreaterThan(0)
}, 120_000)
