/** An ER26500 lithium cell: energy, J, and voltage when new and when empty, V (balancing.md B.2). */
const CAPACITY_J = 110_000
const FRESH_V = 3.6
const EMPTY_V = 2.8
/** The firmware does not move the motor below this voltage, V. */
const LOW_V = 3
/** Energy of a report over NB-IoT, of a report over LoRa, and of a full motor stroke, J. */
const reportJ = { 'nb-iot': 5, lora: 0.2 } as const
const STROKE_J = 15

/** Energy used from a battery, J. */
export interface Battery {
  usedJ: number
}

/** Subtracts the energy of a report. */
export const takeForReport = (battery: Battery, radio: keyof typeof reportJ): void => {
  battery.usedJ += reportJ[radio]
}

/** Subtracts the energy of a move. `travel`: share of the whole stroke. */
export const takeForTravel = (battery: Battery, travel: number): void => {
  battery.usedJ += STROKE_J * travel
}

/** Voltage of the cell. As for lithium cells, it is constant for most of the life and falls at the end. */
export function voltsOf({ usedJ }: Battery): number {
  const used = Math.min(1, usedJ / CAPACITY_J)
  return FRESH_V - (FRESH_V - EMPTY_V) * used ** 4
}

export const isLow = (battery: Battery): boolean => voltsOf(battery) < LOW_V
export const isFlat = ({ usedJ }: Battery): boolean => usedJ >= CAPACITY_J
