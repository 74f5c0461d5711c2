import { setImmediate } from 'node:timers/promises'
import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { runAsCaller } from '../../../platform/tasks/current-caller.ts'
import { useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()

/** Twenty starts a day, with a hundred waterings each. */
const toBusyPlan = () => ({
  days: { kind: 'every' as const, n: 1, from: 0 },
  starts: Array.from({ length: 20 }, (_, index) => ({ kind: 'time' as const, minute: 60 * index })),
  entries: Array.from({ length: 100 }, (_, index) => ({
    groupId: field.groupIds[index % 2] ?? 0,
    runS: 10,
  })),
  seasonalPct: 100,
  together: false,
})

function preview(days: number, account = 'viewer') {
  const { irrigation, clock, call } = field.bench
  const from = clock.now()
  const query = {
    sourceId: field.source.id,
    draft: { plan: toBusyPlan() },
    from,
    to: from + days * DAY_MS,
  }
  return runAsCaller(account, () => irrigation.preview(call().caller, query))
}

test('while the calendar of a year is planned, the server has time for others', async () => {
  const startedAt = performance.now()
  let [isOver, longestMs, lastAt] = [false, 0, startedAt]
  const work = preview(366).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await setImmediate()
    const at = performance.now()
    longestMs = Math.max(longestMs, at - lastAt)
    lastAt = at
  }
  const { runs } = await work
  expect(runs.length).toBeGreaterThan(7_000)
  // Planned at one go, it would be most of the time.
  expect(longestMs).toBeLessThan((performance.now() - startedAt) / 2)
})

test('an account that requests calendars without end is refused, and another gets its own', async () => {
  const many = await Promise.allSettled([
    ...Array.from({ length: 40 }, () => preview(2)),
    preview(2, 'colleague'),
  ])
  const refused = many.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const each of refused) expect(each).toMatchObject({ reason: { code: 'request.too-many' } })
  expect(many.at(-1)).toMatchObject({ status: 'fulfilled' })
  expect((await preview(2)).runs.length).toBeGreaterThan(0)
})
