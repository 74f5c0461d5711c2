import { WARM_WATER } from '@isotherm/hydraulics/water'

/** What a mass flow is as meters and people have it: m³/h for kg/s of the water of a secondary network. */
export const toM3H = (flowKgS: number): number => (3600 * flowKgS) / WARM_WATER.densityKgM3
