import { frictionFactor } from '@isotherm/hydraulics/elements/friction'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import type { PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import { metre } from '@isotherm/kernel/quantities'

/** Inner diameters of steel pipes DN 25 to DN 400 (GB/T 3091, GB/T 8163), m. */
const STEEL_M = [
  0.0273, 0.0354, 0.041, 0.053, 0.0703, 0.0825, 0.1071, 0.1325, 0.158, 0.2073, 0.261, 0.309, 0.408,
] as const
/** Roughness of the wall of hot-water mains (CJJ 34), m. */
const ROUGHNESS = metre(0.0005)
/** Usual design limit of friction in mains of secondary networks, Pa/m. */
const MAX_GRADIENT = 100

function gradient(innerM: number, flowKgS: number): number {
  const { densityKgM3, viscosityPaS } = WARM_WATER
  const reynolds = (4 * flowKgS) / (Math.PI * innerM * viscosityPaS)
  const factor = frictionFactor(reynolds, ROUGHNESS / innerM)
  return (8 * factor * flowKgS ** 2) / (densityKgM3 * Math.PI ** 2 * innerM ** 5)
}

/**
 * Inner diameter in m of the smallest steel pipe that carries a flow at 100 Pa/m at most, or of the widest.
 */
export const usualDiameter = (flowKgS: number): number =>
  STEEL_M.find((inner) => gradient(inner, flowKgS) <= MAX_GRADIENT) ?? STEEL_M[STEEL_M.length - 1] ?? 0

/** A trench of supply and return for a design flow. `bends` is the sum of ζ of one of the two pipes. */
export const usualPipe = (parent: number, lengthM: number, flowKgS: number, bends: number): PipeSpec => ({
  parent,
  length: metre(lengthM),
  innerDiameter: metre(usualDiameter(flowKgS)),
  roughness: ROUGHNESS,
  localLoss: bends,
  runs: 2,
})

/** The station's own pipework: ζ for a drop of its exchanger and strainer, Pa at the design flow. */
export function stationPipe(parent: number, flowKgS: number, dropPa: number): PipeSpec {
  const inner = usualDiameter(flowKgS)
  const speed = (4 * flowKgS) / (Math.PI * WARM_WATER.densityKgM3 * inner ** 2)
  const localLoss = dropPa / 2 / ((WARM_WATER.densityKgM3 * speed ** 2) / 2)
  return {
    parent,
    length: metre(1),
    innerDiameter: metre(inner),
    roughness: ROUGHNESS,
    localLoss,
    runs: 2,
  }
}
