import { expect, test } from 'vitest'
import { correctSigma } from './weather-correction.ts'

// Mean differences of supply and return: 12 K before, 8 K after in milder weather.
const before = { sigmaReturnK: 1.2, sigmaReturnPerDrop: 0.1 }

test('a loop that was not balanced has the same spread after the correction to the weather before', () => {
  expect(correctSigma(before, { sigmaReturnK: 0.8, sigmaReturnPerDrop: 0.1 })).toBeCloseTo(1.2, 12)
})

test('half of the relative spread is half of the spread, whatever the weather', () => {
  expect(correctSigma(before, { sigmaReturnK: 0.4, sigmaReturnPerDrop: 0.05 })).toBeCloseTo(0.6, 12)
})

test('without a relative spread before and after nothing is corrected', () => {
  expect(correctSigma({ sigmaReturnK: 1.2 }, { sigmaReturnK: 0.4, sigmaReturnPerDrop: 0.05 })).toBeUndefined()
  expect(correctSigma(before, { sigmaReturnK: 0.4 })).toBeUndefined()
  expect(correctSigma({ sigmaReturnK: 0, sigmaReturnPerDrop: 0 }, before)).toBeUndefined()
})
