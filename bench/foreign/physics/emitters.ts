/** Kinds of heat emitters. */
export type EmitterType = 'radiator' | 'floor' | 'convector'

/**
 * Emitters by kind. Heat in W is K·(Tm − Ti)^n with the mean temperature Tm of the emitter (n: EN 442 for radiators
 * and convectors, EN 1264 for floors). The heat capacity in kJ/(m²·K) of floor area (water, metal and screed) is the
 * lag: with 3 kg/(h·m²) of water about 0.8 h for radiators, 0.2 h for convectors, 10 h for floors.
 */
export const EMITTERS = {
  radiator: { exponent: 1.3, capacityKJM2K: 9, meanC: 45, dropK: 10 },
  floor: { exponent: 1.1, capacityKJM2K: 125, meanC: 43, dropK: 8 },
  convector: { exponent: 1.4, capacityKJM2K: 2.5, meanC: 45, dropK: 10 },
} as const satisfies Record<
  EmitterType,
  {
    readonly exponent: number
    readonly capacityKJM2K: number
    /** Design mean of the water, °C, and its design drop, K. */
    readonly meanC: number
    readonly dropK: number
  }
>

/** Room temperature for which emitters are designed, °C. */
export const DESIGN_ROOM_C = 20

/** Coefficient K, W/K^n, of an emitter that gives a heat (W) at its design temperatures. */
export function coefficientFor(type: EmitterType, heatW: number): number {
  const { exponent, meanC } = EMITTERS[type]
  return heatW / (meanC - DESIGN_ROOM_C) ** exponent
}
