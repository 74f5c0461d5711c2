import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import { USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import { toM3H } from '@isotherm/hydraulics/elements/water'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Place } from '../../apps/server/src/modules/balancing/loop/place.ts'
import type { RoundPlan } from '../../apps/server/src/modules/balancing/plan/planner.ts'
import { holdHead, pumpNow, unitFlow } from '../../apps/twin/src/plant/station-plant.ts'
import {
  execute,
  findStation,
  HOUR_S,
  RETURN,
  startTwin,
  type TwinOnStores,
  verify,
} from './twin-on-stores.testkit.ts'

let twin: TwinOnStores
let place: Place
let plan: RoundPlan
beforeAll(async () => {
  twin = await startTwin()
  place = await findStation(twin)
  // The usual reaction to cold rooms: a faster pump, and valves that throttle it again.
  holdHead(station(), 1.3 * pumpNow(station()).headPa)
  station().spec.units.forEach(({ valveSerial }, index) => {
    twin.command(twin.ids.get(valveSerial) ?? 0, Math.round(80 * (station().openings[index] ?? 0)))
  })
  await twin.advance(6 * HOUR_S)
}, 120_000)
afterAll(() => twin.close())

function station() {
  const [first] = twin.plant.stations
  if (!first) throw new Error('no station')
  return first
}

it('only advises a head if the pump may not be set, or if only a part of its loop is balanced', async () => {
  const advised = await twin.planner.plan(place, RETURN)
  expect(advised.station).toMatchObject({ pumpStays: 'no-control' })
  expect(advised.station.pump).toBeUndefined()
  const building = await twin.planner.findPlace(await twin.nodeKey(station().spec.buildings[0]?.key ?? ''))
  const part = await twin.pumpPlanner.plan(building, RETURN)
  expect(part.station).toMatchObject({ pumpStays: 'shared' })
  expect(part.steps.every(({ pump }) => pump === undefined)).toBe(true)
})

it('leaves the pump alone on request', async () => {
  const alone = await twin.pumpPlanner.plan(place, { ...RETURN, pump: 'keep' })
  expect(alone.station).toMatchObject({ pumpStays: 'chosen' })
  expect(alone.steps.every(({ pump }) => pump === undefined)).toBe(true)
})

it('does not change a head that a user holds', async () => {
  const deviceId = twin.ids.get(station().spec.stationSerial) ?? 0
  await twin.hold(deviceId, 'manual')
  const held = await twin.pumpPlanner.plan(place, RETURN)
  expect(held.station).toMatchObject({ pumpStays: 'held' })
  expect(held.heldBack).toContain(deviceId)
  await twin.db.deleteFrom('valve_hold').execute()
})

it('sets the head that the loop needs, with less power at the same total flow', async () => {
  plan = await twin.pumpPlanner.plan(place, RETURN)
  const { before, expected, pump } = plan.station
  const head = pumpNow(station()).headPa / 1000
  expect(Math.abs((pump?.fromKpa ?? 0) - head)).toBeLessThan(2)
  expect(pump?.toKpa).toBeGreaterThanOrEqual(USUAL_PUMP_LIMITS.minHeadKpa)
  expect(pump?.toKpa).toBeLessThan(0.95 * head)
  expect(expected.pumpKw ?? 1).toBeLessThan(0.95 * (before.pumpKw ?? 0))
  expect((expected.flowM3H ?? 0) / (before.flowM3H ?? 1)).toBeCloseTo(1, 1)
  expect(plan.steps[0]).toMatchObject({ kind: 'pump', pump, moves: [] })
})

it('behaves as predicted, wave by wave, and the pump takes less', async () => {
  const before = pumpNow(station())
  expect(await execute(twin, place, plan)).toEqual([])
  const { headPa, powerW } = pumpNow(station())
  expect(headPa / 1000).toBeCloseTo(plan.station.pump?.toKpa ?? 0, 1)
  expect(powerW).toBeLessThan(0.97 * before.powerW)
  const flows = new Map(
    station().spec.units.map(({ valveSerial }, index) => [
      twin.ids.get(valveSerial),
      toM3H(unitFlow(station(), index)),
    ]),
  )
  const misses = plan.members.map(({ deviceId, expected: { flowM3H = 0 } }) =>
    Math.abs((flows.get(deviceId) ?? 0) / flowM3H - 1),
  )
  expect(Math.max(...misses)).toBeLessThan(0.15)
})

it('is balanced afterwards, and a trim does not change the head', async () => {
  const verified = await verify(twin, place, plan)
  expect(verified.indices.sigmaReturnK).toBeLessThan(0.5 * (plan.indices.before.sigmaReturnK ?? 0))
  expect(verified.station.headKpa).toBeCloseTo(plan.station.pump?.toKpa ?? 0, -1)
  const trim = await twin.pumpPlanner.trim(place, RETURN, plan, verified)
  expect(trim.station).toMatchObject({ pumpStays: 'enough' })
  expect(trim.steps.every(({ pump }) => pump === undefined)).toBe(true)
  expect(trim.station.before.headKpa).toBeCloseTo(plan.station.pump?.toKpa ?? 0, 0)
})

it('solves the head for each slot: less flow needs less head', async () => {
  await twin.advance(HOUR_S)
  const everybody = await twin.nodeKey(station().spec.key)
  const slot = (share: number): BalanceMode => ({
    kind: 'sequence',
    frostC: 5,
    groups: [{ name: 'all', nodes: [everybody], level: { kind: 'flow', share } }],
  })
  const [day, night] = await twin.pumpPlanner.planAll(place, [slot(1), slot(0.6)])
  expect(night?.station.pump?.toKpa).toBeLessThan((day?.station.expected.headKpa ?? 0) - 3)
  expect(night?.station.expected.pumpKw ?? 9).toBeLessThan(0.6 * (day?.station.expected.pumpKw ?? 0))
})
