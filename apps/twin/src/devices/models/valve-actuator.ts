import { type OpeningRatio, openingRatio } from '@isotherm/kernel/quantities'

/** Shortest duration of a move for all motors, s, so that it stays visible in accelerated time. */
export interface Pace {
  minMoveS: number
}

export interface ActuatorSpec {
  /** Time of a full stroke, s. */
  readonly strokeS: number
  /** Dead travel between motor and stem after a change of direction. */
  readonly backlash: OpeningRatio
  readonly pace: Pace
}

/** Faults of a motor valve. `grip`: share of the motor's travel that the stem follows, 1 if healthy. */
export interface ActuatorHealth {
  readonly isStuck: boolean
  readonly grip: number
}

export const HEALTHY: ActuatorHealth = { isStuck: false, grip: 1 }

/** A running move, in simulated seconds. */
export interface Move {
  readonly from: number
  readonly to: number
  readonly startS: number
  readonly endS: number
}

/** A motor valve. The firmware knows the motor's position and takes it for the stem's position. */
export interface Actuator {
  readonly spec: ActuatorSpec
  position: OpeningRatio
  stem: OpeningRatio
  target: OpeningRatio
  move: Move | undefined
  moves: number
}

export type ActuatorEvent = 'idle' | 'moving' | 'arrived' | 'stalled'

const RESOLUTION = 0.01
/** A blocked motor is detected by its current after this share of the travel. */
const STALL_SHARE = 0.6

export function createActuator(spec: ActuatorSpec, opening: OpeningRatio): Actuator {
  return { spec, position: opening, stem: opening, target: opening, move: undefined, moves: 0 }
}

/** Starts a move from the present position to an opening, rounded to the motor's resolution. */
export function startMove(actuator: Actuator, opening: OpeningRatio, nowS: number): void {
  const to = openingRatio(Math.round(Math.min(1, Math.max(0, opening)) / RESOLUTION) * RESOLUTION)
  const way = Math.abs(to - actuator.position)
  const durationS = Math.max(way * actuator.spec.strokeS, actuator.spec.pace.minMoveS)
  actuator.target = to
  actuator.move = { from: actuator.position, to, startS: nowS, endS: nowS + durationS }
  if (way > 0) actuator.moves++
}

/** Stem position after a move of the motor: follows after the dead travel, and only partly with a slipping coupling. */
function dragStem(actuator: Actuator, grip: number): void {
  const play = actuator.spec.backlash / 2
  const { position, stem } = actuator
  const dragged = Math.min(position + play, Math.max(position - play, stem))
  actuator.stem = openingRatio(Math.min(1, Math.max(0, stem + grip * (dragged - stem))))
}

/** Advances the actuator to an instant and returns the event. */
export function advanceActuator(
  actuator: Actuator,
  nowS: number,
  health: ActuatorHealth = HEALTHY,
): ActuatorEvent {
  const { move } = actuator
  if (move === undefined) return 'idle'
  const lastsS = move.endS - move.startS
  const share = lastsS > 0 ? Math.min(1, Math.max(0, (nowS - move.startS) / lastsS)) : 1
  if (health.isStuck && move.from !== move.to) {
    if (share < STALL_SHARE) return 'moving'
    actuator.move = undefined
    return 'stalled'
  }
  actuator.position = openingRatio(move.from + (move.to - move.from) * share)
  dragStem(actuator, health.grip)
  if (share < 1) return 'moving'
  actuator.position = openingRatio(move.to)
  actuator.move = undefined
  return 'arrived'
}
