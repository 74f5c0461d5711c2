import type { PumpStay } from '@isotherm/contract/balancing/balance-pump'
import type { RoundPlan } from '../../plan/planner.ts'

type Solved = Pick<RoundPlan, 'station'>

/**
 * Head that a slot sets, kPa; undefined if it sets none. A pump that is already there gets the same head again.
 */
export const toSlotHead = ({ station }: Solved): number | undefined =>
  station.pump?.toKpa ?? (station.pumpStays === 'enough' ? station.expected.headKpa : undefined)

/** Why no slot of a week sets the pump. */
export const findPumpStay = (rounds: readonly Solved[]): PumpStay | undefined =>
  rounds.map(({ station }) => station.pumpStays).find((why) => why !== undefined && why !== 'enough')
