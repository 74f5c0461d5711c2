/** Use of a source by some valves during [startMs, endMs). */
export interface Usage {
  readonly valveIds: readonly number[]
  readonly flowM3H: number
  readonly startMs: number
  readonly endMs: number
}

/** Flows are sums of decimal numbers. */
const EPSILON = 1e-6

/** Greatest use of the source within [startMs, endMs), m³/h. Only beginnings can be greatest. */
function peakWithin(used: readonly Usage[], startMs: number, endMs: number): number {
  const during = used.filter((one) => one.startMs < endMs && one.endMs > startMs)
  const beginnings = [startMs, ...during.map((one) => one.startMs).filter((at) => at > startMs)]
  return Math.max(
    ...beginnings.map((at) =>
      during.reduce((sum, one) => (one.startMs <= at && one.endMs > at ? sum + one.flowM3H : sum), 0),
    ),
  )
}

/** Whether some valves may run during [startMs, endMs) beside the others. */
function fits(wanted: Usage, used: readonly Usage[], capacityM3H: number): boolean {
  const { startMs, endMs, valveIds, flowM3H } = wanted
  const isShared = used.some(
    (one) =>
      one.startMs < endMs &&
      one.endMs > startMs &&
      one.valveIds.some((valveId) => valveIds.includes(valveId)),
  )
  return !isShared && peakWithin(used, startMs, endMs) + flowM3H <= capacityM3H + EPSILON
}

/** The earliest start, at or after an instant, at which some valves fit beside the others. */
export function findStart(
  wanted: Omit<Usage, 'startMs' | 'endMs'> & { readonly durationS: number },
  used: readonly Usage[],
  capacityM3H: number,
  readyMs: number,
): number {
  const lengthMs = wanted.durationS * 1000
  const later = used.filter(({ endMs }) => endMs > readyMs)
  const starts = [readyMs, ...later.map(({ endMs }) => endMs).toSorted((one, other) => one - other)]
  const start = starts.find((startMs) =>
    fits({ ...wanted, startMs, endMs: startMs + lengthMs }, later, capacityM3H),
  )
  // After the end of all others there is room, because no part takes more than the capacity.
  return start ?? starts.at(-1) ?? readyMs
}
