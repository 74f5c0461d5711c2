import { computeMoments, computeSum } from '../../shared/statistics.ts'
import { findMetric, findPending, toTrust, type ValveRow } from './valve-row.ts'

/** What the strip above the live table says of the rows. Temperatures in °C, spread in K, flow in m³/h. */
export interface ValveSummary {
  readonly valves: number
  readonly online: number
  /** Not heard in their time, by their own silence or never. */
  readonly silent: number
  /** Behind a concentrator that is silent. */
  readonly unknown: number
  readonly held: number
  readonly pending: number
  readonly meanReturnC: number | undefined
  readonly spreadReturnK: number | undefined
  readonly totalFlowM3h: number | undefined
}

/** Figures of the rows at `now` (Unix ms). Means and sums hold only what is live: an old value is not a figure. */
export function summarize(rows: readonly ValveRow[], now: number): ValveSummary {
  const trusts = rows.map((row) => toTrust(row.device, row.state, now))
  const live = rows.filter((_, index) => trusts[index] === 'live')
  const spread = computeMoments(live.map((row) => findMetric(row.state, 'temp.return') ?? Number.NaN))
  return {
    valves: rows.length,
    online: trusts.filter((trust) => trust === 'live' || trust === 'doubtful').length,
    silent: trusts.filter((trust) => trust === 'stale' || trust === 'silent' || trust === 'never').length,
    unknown: trusts.filter((trust) => trust === 'unknown').length,
    held: rows.filter(({ hold }) => hold !== undefined).length,
    pending: rows.filter((row) => findPending(row.command)).length,
    meanReturnC: spread?.mean,
    spreadReturnK: spread?.deviation,
    totalFlowM3h: computeSum(live.map((row) => findMetric(row.state, 'heat.flow') ?? Number.NaN)),
  }
}
