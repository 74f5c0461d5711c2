import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { isLineBroken, judgeFlow, learnFlow } from './expectation.ts'
import { type DrySince, type Shown, watchDryRun, watchLeak } from './latch.ts'

const GROUPS = 200
const DAYS = 183
/** Samples of a meter during one watering. */
const SAMPLES = 10
/** A meter of class 2: standard deviation of a sample, as a share. */
const NOISE = 0.02
const limits = {
  leakM3H: 0.2,
  leakS: 120,
  dryRunS: 60,
  minInletKpa: -20,
  gapMs: 300_000,
  inletGapMs: 300_000,
}

/** A season of a field of many groups, each with its own true flow, by noisy meters, with a well that falls in summer. */
function createSeason(seed: number) {
  const random = createRandom(seed)
  /** Sum of twelve uniform numbers: normal. */
  const noise = () => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6)
  const groups = Array.from({ length: GROUPS }, () => {
    const statedM3H = 2 + 28 * random()
    return { statedM3H, trueM3H: statedM3H * (0.7 + 0.6 * random()), history: [] as number[] }
  })
  type Group = (typeof groups)[number]
  /** The pump gives 6 % less at the end of summer, and the pressure differs from day to day. */
  const levelOf = (day: number) => 1 - 0.06 * Math.sin((Math.PI * day) / DAYS) ** 2 + 0.01 * noise()
  /** Waters a group; `share` of its flow arrives, and `lostShare` of it leaves the line before the valves. */
  const water = (group: Group, day: number, share = 1, lostShare = 0) => {
    const level = levelOf(day)
    const sample = (flowM3H: number) => flowM3H * (1 + NOISE * noise())
    const mean = (of: () => number) =>
      Array.from({ length: SAMPLES }, of).reduce((sum, one) => sum + one, 0) / SAMPLES
    const flowM3H = mean(() => sample(group.trueM3H * level * share))
    const lossM3H = mean(() => sample(group.trueM3H * level * (share + lostShare))) - flowM3H
    const expected = learnFlow(group.statedM3H, group.history)
    const finding = isLineBroken(lossM3H, limits.leakM3H, expected)
      ? 'line-break'
      : judgeFlow(flowM3H, expected)
    if (finding === undefined) group.history.unshift(flowM3H)
    return finding
  }
  return { groups, water, noise }
}

it('has no finding in 36,600 healthy waterings by noisy meters, and finds each fault in the first watering after it', () => {
  const { groups, water } = createSeason(20_260_401)
  const found: unknown[] = []
  for (let day = 0; day < DAYS; day++)
    for (const [index, group] of groups.entries()) {
      const finding = water(group, day)
      if (finding) found.push([day, index, finding])
    }
  expect(found).toEqual([])
  for (const group of groups) {
    expect(water(group, DAYS, 0)).toBe('no-flow')
    expect(water(group, DAYS, 0.75)).toBe('low-flow')
    expect(water(group, DAYS, 1.3)).toBe('high-flow')
    expect(water(group, DAYS, 1, 0.3)).toBe('line-break')
    expect(water(group, DAYS)).toBeUndefined()
  }
})

it('has no leak and no dry pump in a healthy season of noisy readings each minute, and finds both before the next watering', () => {
  const { noise } = createSeason(7)
  const notShown: Shown = { sinceMs: undefined, seenMs: undefined }
  let since = notShown
  let [leaks, dry] = [0, 0]
  /** A night of readings each minute: a meter that stands shows up to its floor, at times a single pulse above it. */
  const rest = (day: number, leakM3H: number) => {
    for (let minute = 0; minute < 600; minute++) {
      const pulse = minute % 97 === 0 ? 0.15 : 0
      const flowM3H = Math.max(0, leakM3H + 0.02 * noise() + pulse)
      const seen = watchLeak({ atMs: day * 86_400_000 + minute * 60_000, flowM3H }, limits, 0, since)
      since = seen
      if (seen.isReached) leaks++
    }
  }
  const pump = (day: number, flowM3H: number) => {
    let drySince: DrySince = { still: notShown, low: notShown }
    for (let tick = 0; tick < 20; tick++) {
      const atMs = day * 86_400_000 + tick * 30_000
      const reading = {
        atMs,
        flowM3H: Math.max(0, flowM3H + 0.1 * noise()),
        isPumping: true,
        inletKpa: 20 + 5 * noise(),
      }
      const seen = watchDryRun(reading, limits, day * 86_400_000, drySince)
      drySince = seen
      if (seen.isReached) dry++
    }
  }
  for (let day = 0; day < DAYS; day++) {
    pump(day, 12)
    rest(day, 0)
  }
  expect([leaks, dry]).toEqual([0, 0])
  rest(DAYS, 0.5)
  pump(DAYS, 0)
  expect(leaks).toBeGreaterThan(0)
  expect(dry).toBeGreaterThan(0)
})
