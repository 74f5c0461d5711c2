import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, it } from 'vitest'
import { toDayNumber } from '../../../shared/format/zone-days.ts'
import { listWeekDays } from './week-days.ts'

it('a week begins with the local day, also across a change of the clocks', () => {
  const shanghai = listWeekDays(Date.UTC(2026, 5, 1, 20), 'Asia/Shanghai')
  expect(shanghai[0]).toEqual({ day: Date.UTC(2026, 5, 2) / DAY_MS, startMs: Date.UTC(2026, 5, 1, 16) })
  expect(shanghai).toHaveLength(7)
  // Clocks in Berlin go forward on 29 March 2026.
  const berlin = listWeekDays(Date.UTC(2026, 2, 28, 12), 'Europe/Berlin')
  const lengths = berlin
    .slice(1)
    .map(({ startMs }, index) => (startMs - (berlin[index]?.startMs ?? 0)) / HOUR_MS)
  expect(lengths).toEqual([24, 23, 24, 24, 24, 24])
  expect(toDayNumber(Date.UTC(2026, 2, 29, 22, 30), 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 30) / DAY_MS)
})
