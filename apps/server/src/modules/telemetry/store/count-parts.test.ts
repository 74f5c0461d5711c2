import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createTestDirectory } from '../messages/sample-directory.testkit.ts'
import { createCountParts } from './count-parts.ch.ts'

const { all: devices } = createTestDirectory()
const START = Date.UTC(2026, 9, 29)

/** A message with a sample of each of some devices at each of some instants. */
const toMessage = (deviceCount: number, instants: readonly number[]) => ({
  samples: devices
    .slice(0, deviceCount)
    .flatMap((device) => instants.map((ts) => ({ device, ts, quality: 0, values: [] }))),
})

test('a message has a part for each pair of month and shard that its rows are in', () => {
  const countOne = createCountParts([[1, 1]])
  const countThree = createCountParts([
    [1, 1],
    [2, 2],
  ])
  const twoMonths = [START, START + 3 * DAY_MS]
  expect(countOne(toMessage(6, [START]))).toBe(1)
  expect(countOne(toMessage(6, twoMonths))).toBe(2)
  // Ids 1 and 2 leave remainders 1 and 2, both of shard 2; id 3 leaves 0, of shard 1.
  expect(countThree(toMessage(2, [START]))).toBe(1)
  expect(countThree(toMessage(3, [START]))).toBe(2)
  expect(countThree(toMessage(3, twoMonths))).toBe(4)
})
