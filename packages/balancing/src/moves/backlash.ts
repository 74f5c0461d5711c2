/**
 * Position of a stem after its motor moves to `position`, all 0..1. The stem lags by half the dead travel, and stays
 * while the motor moves within it. `backlash` is the whole dead travel. Worked example: backlash.test.ts.
 */
export function stemAfter(position: number, stem: number, backlash: number): number {
  return Math.min(position + backlash / 2, Math.max(position - backlash / 2, stem))
}

/**
 * Motor position that brings a stem to `wanted`: half the dead travel further in the direction of the move. The motor
 * passes the dead travel in the same move. Positions end at 0 and 1.
 */
export function positionFor(wanted: number, stem: number, backlash: number): number {
  const half = backlash / 2
  const position = wanted > stem ? wanted + half : wanted < stem ? wanted - half : wanted
  return Math.min(1, Math.max(0, position))
}
