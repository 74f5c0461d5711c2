import { expect, test } from 'vitest'
import { toHeatingSeason } from '../../history/index.ts'
import { countSeasonDays } from './service.ts'

test('a season has its days over the new year and within one year', () => {
  expect(countSeasonDays(toHeatingSeason('11-15/03-15'))).toBe(121)
  expect(countSeasonDays(toHeatingSeason('04-01/04-30'))).toBe(30)
})
