import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toSeasonSpan } from './season-span.ts'

const winter = { heatingSeason: { first: '11-15', last: '03-15' }, timeZone: 'Asia/Shanghai' }
/** An instant by the clocks of the plant, eight hours before UTC. */
const at = (year: number, month: number, day: number, hour = 0) =>
  Date.UTC(year, month - 1, day, hour) - 8 * HOUR_MS

test('a season under way goes up to now, also after the new year and on its last day', () => {
  const from = at(2026, 11, 15)
  for (const now of [at(2026, 11, 15, 8), at(2027, 1, 3), at(2027, 3, 15, 23)]) {
    expect(toSeasonSpan(winter, now)).toEqual({ from, to: now })
  }
})

test('out of season, the last season is shown in full', () => {
  const whole = { from: at(2026, 11, 15), to: at(2027, 3, 16) }
  expect(toSeasonSpan(winter, at(2027, 7, 1))).toEqual(whole)
  expect(toSeasonSpan(winter, at(2027, 11, 14, 23))).toEqual(whole)
})

test('a season within one year ends in the year it began in', () => {
  const summer = { ...winter, heatingSeason: { first: '04-01', last: '09-30' } }
  expect(toSeasonSpan(summer, at(2027, 2, 1))).toEqual({ from: at(2026, 4, 1), to: at(2026, 10, 1) })
  expect(toSeasonSpan(summer, at(2027, 5, 1))).toEqual({ from: at(2027, 4, 1), to: at(2027, 5, 1) })
})

test.each(['Europe/Berlin', 'America/New_York'])(
  'a reader in %s has the season of the plant, also while the clocks differ there',
  (zone) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    // The new year has begun in China, in New York it is still noon of the day before.
    expect(toSeasonSpan(winter, at(2027, 1, 1, 1))).toEqual({ from: at(2026, 11, 15), to: at(2027, 1, 1, 1) })
    expect(toSeasonSpan(winter, at(2027, 6, 1))).toEqual({ from: at(2026, 11, 15), to: at(2027, 3, 16) })
  },
)
