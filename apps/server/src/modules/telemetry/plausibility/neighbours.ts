/** What the households of a building used in a month beside what its own meter counted. */
export interface LossBalance {
  readonly householdsKwh: number
  readonly buildingKwh: number
  /** Sum of the households above the building, as a part of the building's; losses make it negative. */
  readonly deviation: number
  readonly isPlausible: boolean
}

/** What is lost between a building's meter and its households, and the errors of them all. */
const LEAST = -0.15
const MOST = 0.05

/** R15: the households' energy of a month against the building's. Undefined where the building used none. */
export function compareNeighbours(
  householdsKwh: readonly number[],
  buildingKwh: number,
): LossBalance | undefined {
  if (!(buildingKwh > 0)) return undefined
  const sum = householdsKwh.reduce((total, energy) => total + energy, 0)
  const deviation = sum / buildingKwh - 1
  return { householdsKwh: sum, buildingKwh, deviation, isPlausible: deviation >= LEAST && deviation <= MOST }
}
