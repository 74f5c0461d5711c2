/** Accuracy class of a heat meter (EN 1434-1, GB/T 32224). */
export type AccuracyClass = 1 | 2 | 3

export interface OperatingPoint {
  /** Temperature difference, and the smallest difference the meter is designed for, K. */
  readonly differenceK: number
  readonly leastDifferenceK: number
  /** Flow and the meter's permanent flow q_p, m³/h. */
  readonly flowM3h: number
  readonly permanentFlowM3h: number
}

const FLOW_ERRORS = { 1: [1, 0.01], 2: [2, 0.02], 3: [3, 0.05] } as const
const MOST_FLOW_ERROR = 5

/** Maximum error of the flow sensor, %: the base of the class plus a part that grows at low flow; at most 5 %. */
function flowErrorPct(accuracy: AccuracyClass, point: OperatingPoint): number {
  const [base, slope] = FLOW_ERRORS[accuracy]
  return Math.min(MOST_FLOW_ERROR, base + (slope * point.permanentFlowM3h) / point.flowM3h)
}

/** Maximum error of the pair of temperature sensors, %. */
const pairErrorPct = (point: OperatingPoint): number => 0.5 + (3 * point.leastDifferenceK) / point.differenceK

/** Maximum error of the calculator, %. */
const calculatorErrorPct = (point: OperatingPoint): number => 0.5 + point.leastDifferenceK / point.differenceK

/** Maximum error of a complete new meter, %: flow sensor, sensor pair and calculator together. */
export const meterErrorPct = (accuracy: AccuracyClass, point: OperatingPoint): number =>
  flowErrorPct(accuracy, point) + pairErrorPct(point) + calculatorErrorPct(point)
