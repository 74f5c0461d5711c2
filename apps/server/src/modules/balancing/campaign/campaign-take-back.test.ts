import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Planner } from '../plan/planner.ts'
import { createTestPlanner, type TestWave, twoWaves } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'
import { findCulprits } from './storage/culprits.pg.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

/** Buildings starve while `isStarved` says so of their serial and opening, %. */
function starveWhile(
  isStarved: (serial: string, openingPct: number) => boolean,
): Pick<Planner, 'observe' | 'verify'> {
  const planner = createTestPlanner(bench.readings, bench.clock)
  return {
    ...planner,
    async observe(place, plan, since) {
      const seen = await planner.observe(place, plan, since)
      const starved = bench.serials.filter((serial) =>
        isStarved(serial, bench.field.openings.get(serial) ?? 0),
      )
      return {
        ...seen,
        flowM3H: new Map([...seen.flowM3H, ...starved.map((serial) => [bench.toId(serial), 0.05] as const)]),
      }
    },
    verify: async (place, mode, plan, since) => ({
      ...(await planner.verify(place, mode, plan, since)),
      memory: plan.memory,
    }),
  }
}

/** The memory of a round that moves its valves as planned. */
const memory = () => ({
  devices: bench.serials.map(bench.toId),
  step: { snapshots: [], broken: [], suspected: [], proven: [] },
  openings: bench.serials.map(() => 0.4),
  reportedPct: bench.serials.map(() => 40),
  moves: bench.serials.map((_, consumer) => ({ consumer, from: 0.5, to: 0.4 })),
  isTrim: false,
  rooms: { measured: [], cold: [] },
})

async function approve(
  planner: Pick<Planner, 'observe' | 'verify'>,
  waves: readonly TestWave[] = twoWaves,
): Promise<number> {
  bench.start({ planner })
  const id = await bench.add({ ...bench.toPlan(waves), memory: memory() })
  await bench.move('approve', id)
  return id
}

const kindsOf = async (id: number) => (await bench.get(id)).steps.map(({ kind, state }) => `${kind} ${state}`)

test('a closed valve of a starved building goes back to where it was, and the round continues', async () => {
  const id = await approve(starveWhile((serial, pct) => serial === 'C1V2' && pct < 50))
  await bench.reach(id, 'settling')
  expect(await kindsOf(id)).toEqual(['open done', 'close done', 'take-back done'])
  expect(bench.field.openings.get('C1V2')).toBe(50)
  expect(bench.field.openings.get('C2V2')).toBe(35)
  expect((await bench.get(id)).history.map(({ event }) => event)).toContain('take-back')
  const culprits = await findCulprits(bench.db, bench.place.stationNodeId, 0)
  expect([...culprits]).toEqual([[bench.toId('C1V2'), 'starved-before']])
})

test('what was taken back does not count as a move when the round is verified', async () => {
  const id = await approve(starveWhile((serial, pct) => serial === 'C1V2' && pct < 50))
  await bench.reach(id, 'settling')
  bench.settings.aheadMs += 60_000
  await bench.reach(id, 'verified')
  const { verification } = await bench.db
    .selectFrom('campaign_round')
    .where('campaign_id', '=', id)
    .select('verification')
    .executeTakeFirstOrThrow()
  const at = bench.serials.indexOf('C1V2')
  const moves = memory().moves.filter(({ consumer }) => consumer !== at)
  expect(verification).toMatchObject({ memory: { moves } })
})

test('the moves of a campaign are those of all its waves: a valve that was taken back moved twice', async () => {
  const id = await approve(starveWhile((serial, pct) => serial === 'C1V2' && pct < 50))
  expect(await bench.get(id)).toMatchObject({ movesMade: 0, moves: 4 })
  await bench.reach(id, 'settling')
  expect(await bench.get(id)).toMatchObject({ movesMade: 5 })
})

test('the waves after a take-back are sent, and judged by their own limits', async () => {
  const waves = [
    ['close', { C1V2: 40 }],
    ['close', { C2V2: 35 }],
  ] as const
  const id = await approve(
    starveWhile((serial, pct) => serial === 'C1V2' && pct < 50),
    waves,
  )
  await bench.reach(id, 'settling')
  expect(await kindsOf(id)).toEqual(['close done', 'take-back done', 'close done'])
  expect(bench.field.orders.map(({ serial, openingPct }) => [serial, openingPct])).toEqual([
    ['C1V2', 40],
    ['C1V2', 50],
    ['C2V2', 35],
  ])
})

test('valves that would open because of a closing that was taken back are not moved', async () => {
  const waves = [
    ['close', { C1V2: 40 }],
    ['open', { C1V1: 60 }],
    ['close', { C2V2: 35 }],
  ] as const
  const id = await approve(
    starveWhile((serial, pct) => serial === 'C1V2' && pct < 50),
    waves,
  )
  await bench.reach(id, 'settling')
  expect(await kindsOf(id)).toEqual(['close done', 'take-back done', 'open dropped', 'close done'])
  expect(bench.field.orders.map(({ serial, openingPct }) => [serial, openingPct])).toEqual([
    ['C1V2', 40],
    ['C1V2', 50],
    ['C2V2', 35],
  ])
  // Only three of the four planned valves get a command, and a rollback leaves the other one to its people.
  expect(await bench.get(id)).toMatchObject({ moves: 2, moved: 2 })
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field.orders.map(({ serial }) => serial)).not.toContain('C1V1')
})

test('valves that opened because of a closing that is taken back close again, and are no culprits', async () => {
  let isLate = false
  const waves = [
    ['close', { C1V2: 40 }],
    ['open', { C1V1: 60 }],
  ] as const
  const id = await approve(
    starveWhile((serial, pct) => isLate && serial === 'C1V2' && pct < 50),
    waves,
  )
  await bench.reach(id, 'settling')
  isLate = true
  bench.settings.aheadMs += 60_000
  while ((await bench.get(id)).steps.length < 3) await bench.settleCommands()
  await bench.reach(id, 'settling')
  expect(bench.field.openings.get('C1V1')).toBe(50)
  const culprits = await findCulprits(bench.db, bench.place.stationNodeId, 0)
  expect([...culprits.keys()]).toEqual([bench.toId('C1V2')])
})

test('a building that starves after the round has settled is taken back too', async () => {
  let isLate = false
  const id = await approve(starveWhile((serial, pct) => isLate && serial === 'C2V2' && pct < 50))
  await bench.reach(id, 'settling')
  isLate = true
  bench.settings.aheadMs += 60_000
  while ((await bench.get(id)).steps.length < 3) await bench.settleCommands()
  await bench.reach(id, 'settling')
  expect(await kindsOf(id)).toEqual(['open done', 'close done', 'take-back done'])
  expect(bench.field.openings.get('C2V2')).toBe(50)
})

test('a settled round opens valves again in part that closed too far, and is verified after that', async () => {
  const planner = createTestPlanner(bench.readings, bench.clock)
  const overClosed = [{ deviceId: bench.toId('C2V2'), toPct: 43 }]
  const id = await approve({
    ...planner,
    verify: async (place, mode, plan, since) => ({
      ...(await planner.verify(place, mode, plan, since)),
      memory: plan.memory,
      overClosed,
    }),
  })
  await bench.reach(id, 'settling')
  bench.settings.aheadMs += 60_000
  while ((await bench.get(id)).steps.length < 3) await bench.settleCommands()
  await bench.reach(id, 'settling')
  expect(await kindsOf(id)).toEqual(['open done', 'close done', 'take-back done'])
  expect(bench.field.openings.get('C2V2')).toBe(43)
  bench.settings.aheadMs += 60_000
  await bench.reach(id, 'verified')
  expect(await findCulprits(bench.db, bench.place.stationNodeId, 0)).toEqual(new Map())
})

test('a campaign aborts if a building still starves, and then its rollback restores every valve', async () => {
  const id = await approve(
    starveWhile((serial) => serial === 'C1V2' && bench.field.openings.get('C2V2') === 35),
  )
  await bench.reach(id, 'aborted')
  expect((await bench.get(id)).abort).toEqual({ kind: 'starved', deviceIds: [bench.toId('C1V2')] })
  expect(await kindsOf(id)).toEqual(['open done', 'close done', 'take-back done'])
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(new Set(bench.field.openings.values())).toEqual(new Set([50]))
})

test('a building whose valve was not closed aborts the campaign at once', async () => {
  const id = await approve(starveWhile((serial) => serial === 'C1V3'))
  await bench.reach(id, 'aborted')
  expect(await kindsOf(id)).toEqual(['open done', 'close waiting'])
})
