import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'

/** A measured or estimated flow with its standard deviation, kg/s. */
export interface FlowEstimate {
  readonly flowKgS: number
  readonly sigmaKgS: number
}

/**
 * Flow of a consumer without a meter, from its temperatures: ṁ = K·LMTD(T_s, T_r, T_i)^n/(c·(T_s − T_r)), kg/s, with
 * the design K in W/K^n. NaN if the water does not cool or is no warmer than the room. The relative error is about
 * that of K.
 */
export function virtualFlow(
  coefficient: number,
  exponent: number,
  { supplyC, returnC, roomC }: { readonly supplyC: number; readonly returnC: number; readonly roomC: number },
): number {
  const drop = supplyC - returnC
  const excess = logMeanDifference(supplyC - roomC, returnC - roomC)
  if (!(drop > 0 && excess > 0)) return Number.NaN
  return (coefficient * excess ** exponent) / (WATER_HEAT_CAPACITY * drop)
}

/**
 * Most likely flows of the consumers, given estimates m̃ᵢ ± σᵢ and the flow of the station, G ± σ_G (`total`): min Σ((ṁᵢ − m̃ᵢ)/σᵢ)² + ((Σṁ − G)/σ_G)², so ṁᵢ = m̃ᵢ +
 * σᵢ²·(G − Σm̃)/(Σσ² + σ_G²). A flow that would become negative is zero, and the others share the remainder. Worked
 * example: reconcile-flows.test.ts.
 */
export function reconcileFlows(estimates: readonly FlowEstimate[], total: FlowEstimate): Float64Array {
  const flows = new Float64Array(estimates.length)
  const isFree = new Uint8Array(estimates.length).fill(1)
  // Each iteration but the last sets one more flow to zero.
  for (;;) {
    let sum = 0
    let variance = total.sigmaKgS ** 2
    estimates.forEach(({ flowKgS, sigmaKgS }, index) => {
      if (isFree[index] === 0) return
      sum += flowKgS
      variance += sigmaKgS ** 2
    })
    const share = variance > 0 ? (total.flowKgS - sum) / variance : 0
    let isWhole = true
    estimates.forEach(({ flowKgS, sigmaKgS }, index) => {
      if (isFree[index] === 0) return
      const flow = flowKgS + sigmaKgS ** 2 * share
      if (flow < 0) {
        isFree[index] = 0
        isWhole = false
      }
      flows[index] = Math.max(0, flow)
    })
    if (isWhole) return flows
  }
}
