import { expect, test } from 'vitest'
import { toDurationParts } from './duration.ts'

test.each([
  [900, 'minutes 15'],
  [3_600, 'hoursLong 1'],
  [5_400, 'hoursLong 1, minutes 30'],
  [90, 'minutes 1, seconds 30'],
  [180_061, 'days 2, hoursLong 2'],
  [0, 'seconds 0'],
])('%d s is shown as %s', (seconds, text) => {
  expect(
    toDurationParts(seconds)
      .map(({ unit, count }) => `${unit} ${count}`)
      .join(', '),
  ).toBe(text)
})
