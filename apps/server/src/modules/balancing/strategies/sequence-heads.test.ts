import { afterAll, beforeAll, expect, test } from 'vitest'
import { withHead } from '../campaign/campaign-plan.testkit.ts'
import { day, listLevels, listStates, night, school, turnTo } from './sequence.testkit.ts'
import { type StrategiesBench, startStrategiesBench } from './strategies.testkit.ts'
import { isSameLevel } from './timeline/timeline.ts'

let bench: StrategiesBench
beforeAll(async () => {
  bench = await startStrategiesBench()
})
afterAll(() => bench.close())

/** Heads of the planned slots, kPa. */
const NIGHT_KPA = 35
const DAY_KPA = 55

test('T10: each slot has its head: set before the valves at night, after them by day, and unchanged in between', async () => {
  const deviceId = bench.toId('ST')
  turnTo(bench, night)
  bench.carryOut()
  bench.start({
    planner: {
      ...bench.needs.planner,
      async plan(...args) {
        const plan = await bench.needs.planner.plan(...args)
        const [, mode] = args
        const isNight =
          mode.kind === 'sequence' && mode.groups.every(({ level }) => isSameLevel(level, night))
        const fromKpa = bench.field.headKpa
        return isNight
          ? withHead(plan, 'first', { deviceId, fromKpa, toKpa: NIGHT_KPA })
          : withHead(plan, 'last', { deviceId, fromKpa, toKpa: DAY_KPA })
      },
    },
  })
  const id = await bench.run(school)
  const { last } = await bench.reach(id, { last: 'done' })
  expect(bench.field.heads).toEqual([NIGHT_KPA])
  const kindsOf = async (campaign = 0) => (await bench.getCampaign(campaign)).steps.map(({ kind }) => kind)
  expect(await kindsOf(last?.campaign)).toEqual(['pump', 'open', 'close'])

  turnTo(bench, day)
  await expect.poll(() => listStates(bench)).toEqual(['accepted', 'accepted'])
  await bench.reach(id, { last: 'done' })
  expect(bench.field).toMatchObject({ heads: [NIGHT_KPA, DAY_KPA], headKpa: DAY_KPA })
  expect(await kindsOf((await bench.listBegun()).at(-1)?.id)).toEqual(['open', 'close', 'pump'])
  expect(listLevels(bench)).toEqual([[night], [day]])
})
