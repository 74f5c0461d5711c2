import type { StationPlant } from '../../plant/station-plant.ts'
import { holdHead, pumpNow } from '../../plant/station-plant.ts'
import type { Reply } from './command-memory.ts'
import type { Pace } from './valve-actuator.ts'

/** A head on its way to another, Pa, in simulated seconds. */
export interface HeadRamp {
  readonly fromPa: number
  readonly toPa: number
  readonly startS: number
  readonly endS: number
}

/** The part of a station's controller that holds a head, and what it remembers of commands. */
export interface PumpController {
  readonly serial: string
  readonly pace: Pace
  /** Head setpoint, Pa; undefined while the pump runs at a fixed speed. */
  targetPa: number | undefined
  ramp: HeadRamp | undefined
  readonly replies: Map<string, Reply>
  /** Highest command revision taken. */
  rev: number
  activeCommand: string | undefined
  isRunningReported: boolean
  /** When the concentrator stops waiting for it, Unix ms. */
  busGivesUpMs: number | undefined
}

/** Frequency converters ramp so that no water hammer follows, Pa/s. */
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

/** Sets off to a head from the one that there is. */
export function startRamp(pump: PumpController, plant: StationPlant, headPa: number, nowS: number): void {
  const fromPa = pumpNow(plant).headPa
  const lastsS = Math.max(Math.abs(headPa - fromPa) / RAMP_PA_S, pump.pace.minMoveS)
  pump.targetPa = headPa
  pump.ramp = { fromPa, toPa: headPa, startS: nowS, endS: nowS + lastsS }
}

/** Brings the plant's pump to where the ramp is at a simulated instant; flows follow at the next step. */
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
