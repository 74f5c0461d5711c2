import { type Trust, toTrust } from '../../../shared/devices/device-trust.ts'
import { tallyMoments } from '../../../shared/statistics.ts'
import { findMetric, findPending, type ValveRow } from '../rows/valve-row.ts'

/** Summary figures of the rows. Temperature in °C, spread in K, flow in m³/h. */
export interface ValveSummary {
  readonly valves: number
  readonly online: number
  /** Valves that are silent, stale or never reported. */
  readonly silent: number
  /** Valves behind a silent concentrator. */
  readonly unknown: number
  readonly held: number
  readonly pending: number
  readonly meanReturnC: number | undefined
  readonly spreadReturnK: number | undefined
  readonly totalFlowM3h: number | undefined
}

/**
 * Summarizes the rows at `now` (Unix ms). Means and sums use live values only. Runs in one pass, because a large company
 * has tens of thousands of rows.
 */
export function summarize(rows: readonly ValveRow[], now: number): ValveSummary {
  const trusts: Record<Trust, number> = { live: 0, doubtful: 0, stale: 0, silent: 0, unknown: 0, never: 0 }
  const returns = tallyMoments()
  let held = 0
  let pending = 0
  let totalFlowM3h: number | undefined
  for (const { device, state, command, hold } of rows) {
    const trust = toTrust(device, state, now)
    trusts[trust] += 1
    if (hold) held += 1
    if (findPending(command)) pending += 1
    if (trust !== 'live') continue
    returns.add(findMetric(state, 'temp.return') ?? Number.NaN)
    const flow = findMetric(state, 'heat.flow')
    if (flow !== undefined && Number.isFinite(flow)) totalFlowM3h = (totalFlowM3h ?? 0) + flow
  }
  const spread = returns.read()
  return {
    valves: rows.length,
    online: trusts.live + trusts.doubtful,
    silent: trusts.stale + trusts.silent + trusts.never,
    unknown: trusts.unknown,
    held,
    pending,
    meanReturnC: spread?.mean,
    spreadReturnK: spread?.deviation,
    totalFlowM3h,
  }
}
