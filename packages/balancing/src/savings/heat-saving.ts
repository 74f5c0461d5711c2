import { type KilowattHour, kilowattHour } from '@isotherm/kernel/quantities'
import { createRandom, type Random } from '@isotherm/kernel/random'
import { quantileOfSorted } from '@isotherm/kernel/statistics'
import { type ChangePointLine, fitChangePoint, heatAt } from './change-point.ts'
import { type HeatBaseline, type HeatDay, PARAMETERS } from './heat-baseline.ts'

/** Heat saved in a period beside the baseline in the same weather. */
export interface HeatSaving {
  readonly kind: 'known'
  /** Days of the period with measured heat and weather; only they count. */
  readonly days: number
  readonly measuredKwh: KilowattHour
  readonly predictedKwh: KilowattHour
  /** Predicted minus measured heat; negative if more heat was given than before. */
  readonly savedKwh: KilowattHour
  /** Ends of its 90 % interval. */
  readonly lowKwh: KilowattHour
  readonly highKwh: KilowattHour
}

export type SavingRefusal =
  | { readonly kind: 'no-days' }
  /** More than a quarter of the days were colder or warmer than any day of the baseline by more than 3 K. */
  | { readonly kind: 'weather-beyond-baseline'; readonly days: number; readonly ofDays: number }

const DRAWS = 1000
/** Draws of one step, 1 to 3 ms of work on an idle machine. */
const DRAWS_PER_STEP = 10
/** Ends of the 90 % interval. */
const [LOW, HIGH] = [0.05, 0.95]
/** How far days may be beyond the weather of the baseline, K, and the largest share of days that are further. */
const BEYOND_K = 3
const MAX_BEYOND = 0.25

/**
 * Factor by which residuals are smaller than the errors that they stand for: √(m/(m − 3)) with m independent days among
 * correlated ones, m = n·(1 − ρ)/(1 + ρ).
 */
function inflationOf({ residualKwh, dayCorrelation }: HeatBaseline): number {
  const days = residualKwh.length
  const independent = (days * (1 - dayCorrelation)) / (1 + dayCorrelation)
  return Math.sqrt(independent / Math.max(PARAMETERS, independent - PARAMETERS))
}

/** Draws errors of consecutive days, kWh. */
type DrawErrors = (days: number) => Float64Array

/**
 * Errors of consecutive days as the residuals show them: eᵢ = ρ·eᵢ₋₁ + uᵢ with uᵢ drawn from the parts of the residuals
 * that the day before does not explain. Walls, people and clouds make errors last for days.
 */
function createErrors(baseline: HeatBaseline, random: Random): DrawErrors {
  const { residualKwh, dayCorrelation: rho } = baseline
  const factor = inflationOf(baseline)
  const parts = residualKwh.slice(1).map((value, day) => value - rho * (residualKwh[day] ?? 0))
  const middle = parts.reduce((sum, value) => sum + value, 0) / parts.length
  const squares = parts.reduce((sum, value) => sum + (value - middle) ** 2, 0) / parts.length
  const all = residualKwh.reduce((sum, value) => sum + value ** 2, 0) / residualKwh.length
  // With the corrected correlation errors vary as much as residuals do.
  const scale = squares > 0 ? factor * Math.sqrt((all * (1 - rho ** 2)) / squares) : 0
  const drawPart = (): number => scale * ((parts[Math.floor(random() * parts.length)] ?? 0) - middle)
  const drawResidual = (): number => factor * (residualKwh[Math.floor(random() * residualKwh.length)] ?? 0)
  return (days) => {
    let error = drawResidual()
    return Float64Array.from({ length: days }, () => {
      error = rho * error + drawPart()
      return error
    })
  }
}

const predict = (line: ChangePointLine, outdoorC: Float64Array): number =>
  outdoorC.reduce((sum, at) => sum + heatAt(line, at), 0)

/**
 * Heat saved in a period: the heat that the baseline predicts in the weather of the period, minus the measured one. The
 * interval is a residual bootstrap: the baseline is fitted again to its prediction plus drawn errors, and the period gets
 * drawn errors of its own. Errors of consecutive days are correlated. Source: B. Efron, R. Tibshirani, An
 * Introduction to the Bootstrap, 1993, chapters 8 and 9. The same seed gives the same interval. Worked example:
 * heat-saving.test.ts, coverage: heat-saving.slow.test.ts. Yields after a few milliseconds of work each.
 */
export function* findSavingInSteps(
  baseline: HeatBaseline,
  period: readonly HeatDay[],
  seed: number,
): Generator<void, HeatSaving | SavingRefusal> {
  const known = period.filter(
    ({ outdoorC, heatKwh }) => Number.isFinite(outdoorC) && Number.isFinite(heatKwh),
  )
  if (known.length === 0) return { kind: 'no-days' }
  const outdoorC = Float64Array.from(known, (day) => day.outdoorC)
  const { line, weather, coldestC, warmestC } = baseline
  const beyond = outdoorC.filter((at) => at < coldestC - BEYOND_K || at > warmestC + BEYOND_K).length
  if (beyond > MAX_BEYOND * known.length)
    return { kind: 'weather-beyond-baseline', days: beyond, ofDays: known.length }
  const measured = known.reduce((sum, { heatKwh }) => sum + heatKwh, 0)
  const predicted = predict(line, outdoorC)
  const fitted = weather.outdoorC.map((at) => heatAt(line, at))
  const drawErrors = createErrors(baseline, createRandom(seed))
  const errors = new Float64Array(DRAWS)
  for (let draw = 0; draw < DRAWS; draw++) {
    const own = drawErrors(fitted.length)
    const again = fitChangePoint(
      weather,
      fitted.map((value, day) => value + (own[day] ?? 0)),
    )
    const later = drawErrors(outdoorC.length)
    errors[draw] = predicted + later.reduce((sum, error) => sum + error, 0) - predict(again, outdoorC)
    if (draw % DRAWS_PER_STEP === DRAWS_PER_STEP - 1) yield
  }
  errors.sort()
  const saved = predicted - measured
  return {
    kind: 'known',
    days: known.length,
    measuredKwh: kilowattHour(measured),
    predictedKwh: kilowattHour(predicted),
    savedKwh: kilowattHour(saved),
    lowKwh: kilowattHour(saved + quantileOfSorted(errors, LOW)),
    highKwh: kilowattHour(saved + quantileOfSorted(errors, HIGH)),
  }
}

/** The same without steps, for work that nothing waits for. */
export function findSaving(
  baseline: HeatBaseline,
  period: readonly HeatDay[],
  seed: number,
): HeatSaving | SavingRefusal {
  const work = findSavingInSteps(baseline, period, seed)
  let next = work.next()
  while (!next.done) next = work.next()
  return next.value
}
