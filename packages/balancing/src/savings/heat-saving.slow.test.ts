import { createRandom } from '@isotherm/kernel/random'
import { expect, it } from 'vitest'
import { day, drawHeat, drawWeather, fit } from './heat-days.testkit.ts'
import { findSaving } from './heat-saving.ts'

/** Share of the seasons with a saving whose truth is within the interval: a simulation knows the heat without the change. */
function coverage(baselineDays: number, seasons: number) {
  let [covered, known] = [0, 0]
  for (let season = 0; season < seasons; season++) {
    const random = createRandom(900 + season)
    const baseline = fit(drawHeat(random, drawWeather(random, baselineDays)))
    const without = drawHeat(random, drawWeather(random, 90))
    const period = without.map(({ outdoorC, heatKwh }) => day(outdoorC, 0.92 * heatKwh))
    const truth = without.reduce((sum, { heatKwh }) => sum + 0.08 * heatKwh, 0)
    const saving = findSaving(baseline, period, season)
    if (saving.kind !== 'known') continue
    known++
    if (truth >= saving.lowKwh && truth <= saving.highKwh) covered++
  }
  return { share: covered / known, known }
}

it('covers the true saving in about nine of ten seasons, although errors last for days', {
  timeout: 120_000,
}, () => {
  for (const days of [45, 120]) {
    const { share, known } = coverage(days, 100)
    expect(known).toBeGreaterThan(90)
    expect(share).toBeGreaterThan(0.82)
    expect(share).toBeLessThan(0.97)
  }
})
