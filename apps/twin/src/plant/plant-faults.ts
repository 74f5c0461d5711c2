import type { FaultBoard } from '../faults/fault-board.ts'
import type { StationSpec } from '../scenarios/scenario.ts'

/** Head at which a bypass takes its share of the design flow, Pa: the usual head at a building inlet. */
const BYPASS_HEAD_PA = 20_000

/** Faults of a station's circuits, by unit. */
export interface CircuitFaults {
  /** A clogged strainer multiplies the circuit's resistance. */
  readonly clogging: Float64Array
  /** Conductance of an open bypass before the valve, (kg/s)/√Pa; 0 for none. */
  readonly bypass: Float64Array
  /** Head of a private pump, Pa; 0 for none. */
  readonly privateHeadPa: Float64Array
}

export const createCircuitFaults = (units: number): CircuitFaults => ({
  clogging: new Float64Array(units).fill(1),
  bypass: new Float64Array(units),
  privateHeadPa: new Float64Array(units),
})

/** Copies the faults of a station's circuits from the board. Returns whether the flows must be solved again. */
export function recordCircuitFaults(faults: CircuitFaults, spec: StationSpec, board: FaultBoard): boolean {
  let isChanged = false
  const put = (values: Float64Array, index: number, value: number): void => {
    isChanged ||= values[index] !== value
    values[index] = value
  }
  spec.units.forEach(({ valveSerial, designFlow }, index) => {
    put(faults.clogging, index, board.find(valveSerial, 'clogged')?.fault.factor ?? 1)
    const share = board.find(valveSerial, 'bypass')?.fault.share ?? 0
    put(faults.bypass, index, (share * designFlow) / Math.sqrt(BYPASS_HEAD_PA))
    put(faults.privateHeadPa, index, board.find(valveSerial, 'private-pump')?.fault.headPa ?? 0)
  })
  return isChanged
}
