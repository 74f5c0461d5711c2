/**
 * Daily heat over the outdoor temperature: y = base + slope·max(0, changePoint − T). On days warmer than the change
 * point the heat is the base, which is what pipes lose.
 */
export interface ChangePointLine {
  /** kWh per day. */
  readonly baseKwh: number
  /** kWh per day and kelvin; positive if colder days need more heat. */
  readonly slopeKwhK: number
  /** °C. The warmest day of the sample if all days are colder than the change point. */
  readonly changePointC: number
}

/** Fewest days on the slope: fewer would let single days decide it. */
const MIN_COLD_DAYS = 10

/** Heat of a day with a mean outdoor temperature, kWh. */
export const heatAt = ({ baseKwh, slopeKwhK, changePointC }: ChangePointLine, outdoorC: number): number =>
  baseKwh + slopeKwhK * Math.max(0, changePointC - outdoorC)

/** Order of days from the coldest to the warmest. A bootstrap fits many heats over the same weather. */
export interface WeatherOrder {
  readonly outdoorC: Float64Array
  readonly order: Uint32Array
}

export const orderDays = (outdoorC: Float64Array): WeatherOrder => ({
  outdoorC,
  order: Uint32Array.from(outdoorC.keys()).sort((a, b) => (outdoorC[a] ?? 0) - (outdoorC[b] ?? 0)),
})

/** Sums over the coldest days. */
interface Sums {
  count: number
  t: number
  tt: number
  y: number
  ty: number
}

/** Least squares for a change point that is given. `cold` are the sums over the days below it. */
function fitAt(changePointC: number, cold: Sums, days: number, allY: number) {
  const x = cold.count * changePointC - cold.t
  const xx = cold.count * changePointC ** 2 - 2 * changePointC * cold.t + cold.tt
  const xy = changePointC * cold.y - cold.ty
  const spread = xx - x ** 2 / days
  const slopeKwhK = spread > 0 ? (xy - (x * allY) / days) / spread : 0
  const baseKwh = (allY - slopeKwhK * x) / days
  // Explained by the fit, up to the constant Σy²: the larger, the smaller the residuals.
  return { line: { baseKwh, slopeKwhK, changePointC }, explained: baseKwh * allY + slopeKwhK * xy }
}

/**
 * The change-point line with the least squares of residuals. The search is exact: between two neighbouring days the best
 * change point is where the line of the colder days meets the mean of the warmer ones, or it is one of the two days.
 * Source: J. K. Kissock, J. S. Haberl, D. E. Claridge, Inverse Modeling Toolkit (ASHRAE RP-1050), 2003. Heat in kWh in the order
 * of the days, without NaN. Worked example: change-point.test.ts.
 */
export function fitChangePoint({ outdoorC, order }: WeatherOrder, heatKwh: Float64Array): ChangePointLine {
  const days = order.length
  const allY = heatKwh.reduce((sum, value) => sum + value, 0)
  const cold: Sums = { count: 0, t: 0, tt: 0, y: 0, ty: 0 }
  let best = { line: { baseKwh: allY / days, slopeKwhK: 0, changePointC: 0 }, explained: allY ** 2 / days }
  for (const [index, day] of order.entries()) {
    const [t, y] = [outdoorC[day] ?? 0, heatKwh[day] ?? 0]
    cold.count += 1
    cold.t += t
    cold.tt += t * t
    cold.y += y
    cold.ty += t * y
    if (cold.count < MIN_COLD_DAYS) continue
    const warmer = outdoorC[order[index + 1] ?? day] ?? t
    const tried = [fitAt(t, cold, days, allY)]
    const spread = cold.tt - cold.t ** 2 / cold.count
    const warm = days - cold.count
    if (warm > 0 && spread > 0) {
      const slope = -(cold.ty - (cold.t * cold.y) / cold.count) / spread
      const meets = cold.t / cold.count + (cold.y / cold.count - (allY - cold.y) / warm) / slope
      if (meets > t && meets < warmer) tried.push(fitAt(meets, cold, days, allY))
    }
    for (const fit of tried) if (fit.explained > best.explained + 1e-9 * Math.abs(best.explained)) best = fit
  }
  return best.line
}
