import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createLog } from '../log.ts'
import { startPruning } from './pruning.ts'

const log = createLog({ logLevel: 'silent' })

/** Rows that ended at an instant, and the number of rows each step deletes. */
function createRows(count: number, at: number) {
  const rows = Array.from({ length: count }, () => at)
  const steps: number[] = []
  const remove = async (before: number, most: number): Promise<number> => {
    const removed = Math.min(most, rows.filter((over) => over < before).length)
    rows.splice(0, removed)
    steps.push(removed)
    return removed
  }
  return { rows, steps, remove }
}

test('rows past their retention are deleted in steps of a thousand, at once and then every hour', async () => {
  const clock = createTestClock()
  const old = createRows(2_500, clock.now() - 10 * DAY_MS - 1)
  const young = createRows(3, clock.now() - 10 * DAY_MS + HOUR_MS)
  const pruning = startPruning({
    clock,
    log,
    retentionDays: 10,
    removals: { old: old.remove, young: young.remove },
  })
  clock.advance(0)
  await expect.poll(() => young.steps).toEqual([0])
  expect(old.steps).toEqual([1_000, 1_000, 500])
  await expect
    .poll(() => {
      clock.advance(HOUR_MS)
      return young.rows.length
    })
    .toBe(0)
  await pruning.close()
})

test('a retention of 0 days deletes nothing', async () => {
  const clock = createTestClock()
  const { remove, steps } = createRows(1, 0)
  const pruning = startPruning({ clock, log, retentionDays: 0, removals: { remove } })
  clock.advance(10 * HOUR_MS)
  await pruning.close()
  expect(steps).toEqual([])
})

test('a failed removal is retried every hour', async () => {
  const clock = createTestClock()
  let tries = 0
  const pruning = startPruning({
    clock,
    log,
    retentionDays: 1,
    removals: {
      async failing() {
        tries += 1
        throw new Error('the database is unavailable')
      },
    },
  })
  await expect
    .poll(() => {
      clock.advance(HOUR_MS)
      return tries
    })
    .toBeGreaterThan(1)
  await pruning.close()
})
