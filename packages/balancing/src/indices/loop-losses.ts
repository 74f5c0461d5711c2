import { type LoopModel, pathLosses, sumFlows } from '../loop/loop-model.ts'

/** Head that the loop takes, Pa, by consumer; NaN where nothing flows, or where pipes as believed leave a consumer nothing. */
export interface LoopLosses {
  /** On the way from the station to the consumer and back, at the present flows. */
  readonly pathPa: Float64Array
  /** On that way and through the consumer's own circuit and valve as it stands, were every flow as it is required. */
  readonly loopPa: Float64Array
}

/** Losses of the way to every consumer when consumers take these flows, Pa. */
function lossesAt({ network }: LoopModel, flowKgS: Float64Array): Float64Array {
  const pipeFlow = sumFlows(network, flowKgS, new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  return flowKgS.map((_, i) => path[network.circuitNode[i] ?? network.pipeCount] ?? Number.NaN)
}

/**
 * Where the head of a loop goes: Δp_path,i at the flows as they are, and Δp_i = Δp_path,i(ṁ*) + (H − Δp_path,i(ṁ))·(ṁ*ᵢ/ṁᵢ)²,
 * since what is left of the measured head is what circuit and valve take, whatever their curves are. Flows in kg/s, none of
 * them NaN. Worked example: loop-losses.test.ts.
 */
export function findLosses(
  model: LoopModel,
  { headPa, flowKgS }: { readonly headPa: number; readonly flowKgS: Float64Array },
  requiredKgS: Float64Array,
): LoopLosses {
  const path = lossesAt(model, flowKgS)
  const required = lossesAt(model, requiredKgS)
  const pathPa = path.map((loss, i) => ((flowKgS[i] ?? 0) > 0 && loss < headPa ? loss : Number.NaN))
  return {
    pathPa,
    loopPa: pathPa.map((loss, i) => {
      const ratio = (requiredKgS[i] ?? 0) / (flowKgS[i] ?? 0)
      return (required[i] ?? Number.NaN) + (headPa - loss) * ratio ** 2
    }),
  }
}
