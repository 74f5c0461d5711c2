import type { PumpStay } from '@isotherm/contract/balancing/balance-pump'
import type { RoundPlan } from '../../plan/planner.ts'

type Solved = Pick<RoundPlan, 'station'>

/** The head that a slot's pump is told, kPa; undefined where it is not set. One that is there already is held again. */
export const toSlotHead = ({ station }: Solved): number | undefined =>
  station.pump?.toKpa ?? (station.pumpStays === 'enough' ? station.expected.headKpa : undefined)

/** Why no slot of a week sets the pump. */
export const findPumpStay = (rounds: readonly Solved[]): PumpStay | undefined =>
  rounds.map(({ station }) => station.pumpStays).find((why) => why !== undefined && why !== 'enough')
