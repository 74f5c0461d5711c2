import type { StationPlant } from '../../plant/station-plant.ts'
import { holdHead, pumpNow } from '../../plant/station-plant.ts'
import type { Reply } from './command-memory.ts'
import type { Pace } from './valve-actuator.ts'

/** Ramp from one head to another, Pa, in simulated seconds. */
export interface HeadRamp {
  readonly fromPa: number
  readonly toPa: number
  readonly startS: number
  readonly endS: number
}

/** Head control of a station's controller, with the state of its commands. */
export interface PumpController {
  readonly serial: string
  readonly pace: Pace
  /** Head setpoint, Pa; undefined while the pump runs at a fixed speed. */
  targetPa: number | undefined
  ramp: HeadRamp | undefined
  readonly replies: Map<string, Reply>
  /** Highest accepted command revision. */
  rev: number
  activeCommand: string | undefined
  isRunningReported: boolean
  /** When the concentrator stops waiting for the device's answer to a command, Unix ms. */
  busGivesUpMs: number | undefined
}

/** Ramp of a frequency converter, slow enough to avoid water hammer, Pa/s. */
const RAMP_PA_S = 1_000

export const createPumpController = (serial: string, pace: Pace): PumpController => ({
  serial,
  pace,
  targetPa: undefined,
  ramp: undefined,
  replies: new Map(),
  rev: 0,
  activeCommand: undefined,
  isRunningReported: false,
  busGivesUpMs: undefined,
})

/** Starts a ramp from the present head to another. */
export function startRamp(pump: PumpController, plant: StationPlant, headPa: number, nowS: number): void {
  const fromPa = pumpNow(plant).headPa
  const lastsS = Math.max(Math.abs(headPa - fromPa) / RAMP_PA_S, pump.pace.minMoveS)
  pump.targetPa = headPa
  pump.ramp = { fromPa, toPa: headPa, startS: nowS, endS: nowS + lastsS }
}

/** Sets the plant's head to the ramp at a simulated instant; flows follow at the next step. */
export function advanceRamp(
  pump: PumpController,
  plant: StationPlant,
  nowS: number,
): 'idle' | 'moving' | 'arrived' {
  const { ramp } = pump
  if (ramp === undefined) return 'idle'
  const { fromPa, toPa, startS, endS } = ramp
  const share = endS > startS ? Math.min(1, Math.max(0, (nowS - startS) / (endS - startS))) : 1
  holdHead(plant, fromPa + (toPa - fromPa) * share)
  if (share < 1) return 'moving'
  pump.ramp = undefined
  return 'arrived'
}
