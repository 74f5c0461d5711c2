import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignState } from '@isotherm/contract/balancing/campaign'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { GRACE_MS } from '../../commands/model/timing.ts'
import type { Planner } from '../plan/planner.ts'
import { createTestPlanner, type TestWave } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'
import { findDirections } from './storage/directions.pg.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

/** Flow of a valve by what it reports, m³/h; the others have 1. */
function flowOf(serial: string, read: (reportedPct: number) => number): Pick<Planner, 'observe' | 'verify'> {
  const planner = createTestPlanner(bench.readings, bench.clock)
  return {
    ...planner,
    async observe(place, plan, since) {
      const seen = await planner.observe(place, plan, since)
      const flow = [bench.toId(serial), read(bench.field.openings.get(serial) ?? 0)] as const
      return { ...seen, flowM3H: new Map([...seen.flowM3H, flow]) }
    },
  }
}

/** Starts a campaign in which every valve has 1 m³/h before, and an inverted valve reports an opening, %. */
async function approve(
  planner: Pick<Planner, 'observe' | 'verify'>,
  [serial, reportedPct]: readonly [string, number],
  waves: readonly TestWave[],
): Promise<number> {
  bench.field.inverted.add(serial)
  bench.field.openings.set(serial, reportedPct)
  bench.start({ planner })
  const plan = bench.toPlan(waves)
  const members = plan.members.map((member) => ({ ...member, before: { ...member.before, flowM3H: 1 } }))
  const id = await bench.add({ ...plan, members })
  await bench.move('approve', id)
  return id
}

/** Resolves once the campaign is in a state. A command that no reading confirms ends at its deadline, which is skipped to. */
async function reach(id: number, state: CampaignState): Promise<void> {
  const isThere = bench.reach(id, state).then(() => true)
  const inverted = [...bench.field.inverted].map(bench.toId)
  const waiting = bench.db
    .selectFrom('command')
    .where('state', '=', 'done')
    .where('shown_pct', 'is not', null)
    .where('device_id', 'in', inverted)
    .select('deadline_ms')
  while (!(await Promise.race([isThere, pause(20)]))) {
    const deadlineAt = (await waiting.executeTakeFirst())?.deadline_ms ?? 0
    const missing = deadlineAt + GRACE_MS - bench.clock.now()
    if (deadlineAt > 0 && missing > 0) bench.settings.aheadMs += missing + 1
  }
}

const kindsOf = async (id: number) => (await bench.get(id)).steps.map(({ kind, state }) => `${kind} ${state}`)
const ordersOf = (serial: string): number[] =>
  bench.field.orders.flatMap((order) => (order.serial === serial ? order.openingPct : []))
const directionOf = async (serial: string) =>
  (await findDirections(bench.db, [bench.toId(serial)])).get(bench.toId(serial))

/** Closes C1V2 from 90 to 70 %. It goes to 30 % and starves; taken back by 90 %, it goes to 10 %. */
const closing = [['close', { C1V2: 70, C2V2: 40 }]] as const satisfies readonly TestWave[]
const closeInverted = () =>
  approve(
    flowOf('C1V2', (pct) => (pct < 50 ? 0.05 : 1)),
    ['C1V2', 90],
    closing,
  )

test('an inverted valve that lost flow gets back what it had, and the campaign of a small loop continues', async () => {
  const id = await closeInverted()
  await reach(id, 'settling')
  expect(await kindsOf(id)).toEqual(['close done', 'take-back done', 'take-back done'])
  expect(ordersOf('C1V2')).toEqual([70, 90, 10])
  expect(bench.field.openings.get('C1V2')).toBe(90)
  expect(await directionOf('C1V2')).toBe('inverted')
  expect(await directionOf('C2V2')).toBe('usual')
  bench.settings.aheadMs += 60_000
  await reach(id, 'verified')
  // A rollback leaves it where it is.
  await bench.move('rollback', id)
  await reach(id, 'rolled-back')
  expect(ordersOf('C1V2')).toEqual([70, 90, 10])
  expect(ordersOf('C2V2')).toEqual([40, 50])
})

/** Orders 65 % of a valve that reports 30 % and is at 70 %; another building starves, and the campaign aborts. */
async function abortOpening(serial: string, read: (reportedPct: number) => number): Promise<number> {
  const planner = flowOf(serial, read)
  const id = await approve(
    {
      ...planner,
      async observe(place, plan, since) {
        const seen = await planner.observe(place, plan, since)
        const starved = bench.field.orders.length === 1 ? [[bench.toId('C2V3'), 0.05] as const] : []
        return { ...seen, flowM3H: new Map([...seen.flowM3H, ...starved]) }
      },
    },
    [serial, 30],
    [['open', { [serial]: 65 }]],
  )
  await reach(id, 'aborted')
  expect(await directionOf(serial)).toBe('suspected')
  await bench.move('rollback', id)
  await reach(id, 'rolled-back')
  expect(await directionOf(serial)).toBe('inverted')
  return id
}

test('a rollback that shows that a valve is inverted gives back what it lost', async () => {
  const id = await abortOpening('C1V1', (pct) => (pct > 60 ? 0.4 : 1))
  expect(ordersOf('C1V1')).toEqual([65, 30, 70])
  expect(await kindsOf(id)).toEqual(['open done', 'back done', 'take-back done'])
})

test('an inverted valve that lost no flow is left where it is', async () => {
  await abortOpening('C1V3', () => 1)
  expect(ordersOf('C1V3')).toEqual([65, 30])
})

test('a valve is in balances again when it confirms a command far from 50 %', async () => {
  await abortOpening('C1V4', () => 1)
  const send = async (openingPct: number): Promise<void> => {
    const targets = [{ deviceId: bench.toId('C1V4'), openingPct }]
    await bench.commands.send(await bench.act(), { targets, reason: 'test', priority: 'manual' })
    await bench.settleCommands()
  }
  await send(50)
  expect(await directionOf('C1V4')).toBe('inverted')
  bench.field.inverted.clear()
  await send(60)
  expect(await directionOf('C1V4')).toBe('usual')
})
