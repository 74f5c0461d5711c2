import { celsius, kilowattHour } from '@isotherm/kernel/quantities'
import { type Random, sampleNormal } from '@isotherm/kernel/random'
import { fitBaseline, type HeatBaseline, type HeatDay } from './heat-baseline.ts'

export const day = (outdoorC: number, heatKwh: number): HeatDay => ({
  outdoorC: celsius(outdoorC),
  heatKwh: kilowattHour(heatKwh),
})

export function fit(days: readonly HeatDay[]): HeatBaseline {
  const baseline = fitBaseline(days)
  if (baseline.kind !== 'fitted') throw new Error(baseline.kind)
  return baseline
}

/** Mean outdoor temperatures of consecutive days, °C. */
export function drawWeather(random: Random, days: number): number[] {
  let slow = 0
  return Array.from({ length: days }, (_, at) => {
    slow = 0.7 * slow + sampleNormal(random, 0, 2.5)
    return -4 + 4 * Math.sin(at / 15) + slow
  })
}

/** Heat of consecutive days with errors that last: 500 kWh/K below 16 °C, errors of 400 kWh with a correlation of 0.5. */
export function drawHeat(random: Random, outdoorC: readonly number[], saved = 0): HeatDay[] {
  let error = sampleNormal(random, 0, 400)
  return outdoorC.map((at) => {
    error = 0.5 * error + Math.sqrt(0.75) * sampleNormal(random, 0, 400)
    return day(at, (1 - saved) * (2000 + 500 * (16 - at)) + error)
  })
}
