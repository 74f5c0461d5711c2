/** Energy of the households of a building in a month, compared with the building's own meter. */
export interface LossBalance {
  readonly householdsKwh: number
  readonly buildingKwh: number
  /** Relative deviation of the sum of the households from the building; losses make it negative. */
  readonly deviation: number
  readonly isPlausible: boolean
}

/**
 * Plausible range of the deviation: losses between the building's meter and the households, and the errors of all
 * meters.
 */
const LEAST = -0.15
const MOST = 0.05

/** R15: energy of the households in a month against the building. Undefined if the building used none. */
export function compareNeighbours(
  householdsKwh: readonly number[],
  buildingKwh: number,
): LossBalance | undefined {
  if (!(buildingKwh > 0)) return undefined
  const sum = householdsKwh.reduce((total, energy) => total + energy, 0)
  const deviation = sum / buildingKwh - 1
  return { householdsKwh: sum, buildingKwh, deviation, isPlausible: deviation >= LEAST && deviation <= MOST }
}
