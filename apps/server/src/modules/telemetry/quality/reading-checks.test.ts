import { quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createSteadyClock } from '../../../platform/tasks/steady-clock.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createTestDirectory, testMeter as meter } from '../counts/directory.testkit.ts'
import { createReadingChecks } from './reading-checks.ts'

const START = Date.UTC(2026, 0, 5)

function createBench() {
  const directory = createTestDirectory([meter])
  const clock = createTestClock()
  const checks = createReadingChecks({
    clock,
    steady: createSteadyClock(clock),
    log: createLog({ logLevel: 'silent' }),
    directory,
    startFindings: async () => [],
    endFindings: async () => [],
    listOpenFindings: async () => [],
    timeFactor: () => undefined,
    publish: async () => undefined,
    clockChanged: () => undefined,
  })
  /** Quality bits of an energy at the n-th reading. */
  const judge = (n: number, energyKwh: number, isLive: boolean): number | undefined =>
    checks.judge(
      [
        {
          device: meter,
          ts: START + n * 900_000,
          quality: 0,
          values: [{ metric: 'heat.energy', value: energyKwh, quality: 0 }],
        },
      ],
      isLive,
    )[0]?.values[0]?.quality
  return { directory, judge }
}

test.each([true, false])(
  'a moved device is remembered, one that left the registry is not (live: %s)',
  (isLive) => {
    const { directory, judge } = createBench()
    judge(0, 10_000, isLive)
    directory.place([])
    directory.place([meter])
    expect(judge(1, 3, isLive)).toBe(0)
    judge(2, 10_000, isLive)
    directory.place([{ ...meter, path: '/2/d7/' }])
    expect(judge(3, 3, isLive)).toBe(quality.implausible)
  },
)

test('a device with an open finding is remembered when it leaves, so that its return can close the finding', () => {
  const { directory, judge } = createBench()
  for (const isLive of [true, false]) judge(0, 10_000, isLive)
  for (const isLive of [true, false]) judge(1, 3, isLive)
  directory.place([])
  directory.place([meter])
  expect(judge(2, 3, true)).toBe(quality.implausible)
  // Back-fill has no findings.
  expect(judge(2, 3, false)).toBe(0)
})
