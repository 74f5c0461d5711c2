import { expect, it } from 'vitest'
import { storeCampaignDraft } from '../../apps/server/src/modules/balancing/campaign/storage/campaign-changes.pg.ts'
import type { Place } from '../../apps/server/src/modules/balancing/loop/place.ts'
import type { RoundPlan } from '../../apps/server/src/modules/balancing/plan/planner.ts'
import { toSystemOperation } from '../../apps/server/src/platform/operation/operation.ts'
import { execute, HOUR_S, RETURN, startStation, type TwinOnStores, verify } from './twin-on-stores.testkit.ts'

const SLOW_TRIM = { ...RETURN, method: 'slow-trim' } as const
const DAYS = 6
/** Units with a strainer that clogs after the balance. */
const CLOGGED = [2, 7, 12]
const FACTOR = 1.7

/** Stores a campaign of one round as accepted now. */
async function accept(
  { db, clock }: TwinOnStores,
  accountId: number,
  place: Place,
  mode: typeof RETURN,
  plan: RoundPlan,
): Promise<void> {
  const at = clock.now()
  const operation = toSystemOperation('campaign', at)
  const who = { accountId, account: 'balancer', at }
  const id = await storeCampaignDraft(db, { place, mode, plan, who }, operation)
  const ended = { state: 'accepted', ended_ms: at } as const
  await db.updateTable('campaign').set(ended).where('id', '=', id).execute()
}

const listMoves = ({ steps }: RoundPlan) => steps.flatMap(({ moves }) => moves)

it('corrects a drift day by day after a balance, within its range and without oscillation', async () => {
  const { twin, place } = await startStation()
  const station = twin.plant.stations[0]?.spec.key ?? ''
  const accountId = await twin.createAccount('balancer', ['pe-fmcontrol'], [station])
  const first = await twin.planner.plan(place, RETURN)
  await execute(twin, place, first)
  const balanced = await verify(twin, place, first)
  const last = await twin.planner.trim(place, RETURN, first, balanced)
  await execute(twin, place, last)
  await verify(twin, place, last)
  expect(listMoves(await twin.planner.plan(place, SLOW_TRIM))).toEqual([])
  await accept(twin, accountId, place, RETURN, last)
  const base = new Map(last.members.map(({ deviceId, expected }) => [deviceId, expected.openingPct]))

  const clogged = CLOGGED.map((unit) => twin.plant.stations[0]?.spec.units[unit]?.valveSerial ?? '')
  for (const target of clogged) twin.plant.faults.inject({ kind: 'clogged', target, factor: FACTOR })
  await twin.advance(12 * HOUR_S)
  expect(listMoves(await twin.planner.plan(place, SLOW_TRIM))).toEqual([])
  const ids = new Set(clogged.map((serial) => twin.ids.get(serial)))
  const off: number[][] = []
  const moves = new Map<number, number[]>()
  for (let day = 0; day < DAYS; day++) {
    await twin.advance((day === 0 ? 12 : 24) * HOUR_S)
    const plan = await twin.planner.plan(place, SLOW_TRIM)
    off.push(
      plan.members.flatMap(({ deviceId, before: { returnC = Number.NaN } }) =>
        ids.has(deviceId) ? [Math.abs(returnC - (plan.common ?? Number.NaN))] : [],
      ),
    )
    for (const { deviceId, fromPct, toPct } of listMoves(plan)) {
      moves.set(deviceId, [...(moves.get(deviceId) ?? []), toPct - fromPct])
      expect(Math.abs(toPct - (base.get(deviceId) ?? 0))).toBeLessThanOrEqual(10)
    }
    if (plan.steps.length === 0) continue
    expect(await execute(twin, place, plan)).toEqual([])
    await accept(twin, accountId, place, SLOW_TRIM, plan)
  }
  const worst = (day: readonly number[] = []): number => Math.max(...day)
  expect(worst(off[0])).toBeGreaterThan(0.9)
  expect(worst(off.at(-1))).toBeLessThan(0.6)
  expect([...moves.keys()].every((id) => ids.has(id))).toBe(true)
  expect([...moves.values()].flat().every((move) => move > 0)).toBe(true)
  expect([...moves.values()].flat().length).toBeLessThanOrEqual(8)
}, 300_000)
