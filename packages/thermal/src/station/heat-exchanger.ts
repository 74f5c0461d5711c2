import {
  type Celsius,
  celsius,
  type KilogramPerSecond,
  kilogramPerSecond,
  type Watt,
  watt,
} from '@isotherm/kernel/quantities'
import { MAX_FLOW_KG_S } from '../bounds.ts'
import { logMeanDifference } from '../households/radiator.ts'
import { WATER_HEAT_CAPACITY } from '../water.ts'

/** A plate heat exchanger in counterflow: UA, W/K, at the design flows of both sides, kg/s. */
export interface HeatExchanger {
  readonly conductance: number
  readonly primaryFlow: KilogramPerSecond
  readonly secondaryFlow: KilogramPerSecond
}

/** Heat and outlets of a heat exchanger at given flows and inlets. */
export interface ExchangeResult {
  readonly heat: Watt
  readonly primaryBack: Celsius
  readonly secondarySupply: Celsius
}

/** Water flow and inlet temperature on one side. */
export interface Stream {
  readonly flow: KilogramPerSecond
  readonly inlet: Celsius
}

/** Exponent of flow in the heat transfer of turbulent water between plates. */
const FILM_EXPONENT = 0.7

/** UA at other flows than design, W/K: each film has half of the resistance at design and depends on its own flow. */
function conductanceAt(exchanger: HeatExchanger, primary: number, secondary: number): number {
  const film = (flow: number, design: number): number => (design / flow) ** FILM_EXPONENT
  const resistance = film(primary, exchanger.primaryFlow) + film(secondary, exchanger.secondaryFlow)
  return (2 * exchanger.conductance) / resistance
}

/**
 * Share of the greatest possible heat, 0 to 1, in counterflow: ε = (1 − e^(−NTU(1−r)))/(1 − r·e^(−NTU(1−r))), with
 * NTU = UA/C_min and r = C_min/C_max from 0 to 1; NTU/(1 + NTU) where both are equal. VDI Heat Atlas, C1.
 */
export function effectiveness(ntu: number, ratio: number): number {
  const uneven = 1 - ratio
  if (ntu * uneven < 1e-9) return ntu / (1 + ntu)
  const left = -Math.expm1(-ntu * uneven)
  return left / (uneven + ratio * left)
}

/** Heat and outlets of an exchanger. Without flow on one side the heat is 0 and each outlet equals its inlet. */
export function exchangeHeat(exchanger: HeatExchanger, primary: Stream, secondary: Stream): ExchangeResult {
  if (!(primary.flow > 0 && secondary.flow > 0))
    return { heat: watt(0), primaryBack: primary.inlet, secondarySupply: secondary.inlet }
  const hot = Math.min(primary.flow, MAX_FLOW_KG_S) * WATER_HEAT_CAPACITY
  const cold = Math.min(secondary.flow, MAX_FLOW_KG_S) * WATER_HEAT_CAPACITY
  const min = Math.min(hot, cold)
  const ntu = conductanceAt(exchanger, primary.flow, secondary.flow) / min
  const heat = effectiveness(ntu, min / Math.max(hot, cold)) * min * (primary.inlet - secondary.inlet)
  return {
    heat: watt(heat),
    primaryBack: celsius(primary.inlet - heat / hot),
    secondarySupply: celsius(secondary.inlet + heat / cold),
  }
}

/** The exchanger that gives `heat` at design: its UA is heat over the log mean difference of counterflow. */
export function exchangerForDesign(
  heat: Watt,
  primary: { readonly supply: Celsius; readonly back: Celsius },
  secondary: { readonly supply: Celsius; readonly back: Celsius },
): HeatExchanger {
  const warmEnd = primary.supply - secondary.supply
  const coldEnd = primary.back - secondary.back
  if (!(warmEnd > 0 && coldEnd > 0))
    throw new RangeError('the primary side has to be warmer than the secondary at both ends')
  const flowFor = (drop: number): KilogramPerSecond => kilogramPerSecond(heat / (drop * WATER_HEAT_CAPACITY))
  return {
    conductance: heat / logMeanDifference(warmEnd, coldEnd),
    primaryFlow: flowFor(primary.supply - primary.back),
    secondaryFlow: flowFor(secondary.supply - secondary.back),
  }
}

/** Primary flow of a station's control valve for a target supply temperature. */
export type PrimaryDemand =
  | { readonly kind: 'reached'; readonly primaryFlow: KilogramPerSecond; readonly result: ExchangeResult }
  /** The full primary flow does not reach the target. */
  | { readonly kind: 'short'; readonly primaryFlow: KilogramPerSecond; readonly result: ExchangeResult }

/** Number of bisections. 40 find the flow to 1e-12 of the maximum. */
const BISECTIONS = 40

/**
 * The primary flow, up to `max`, that heats the secondary side to `target`. Heat increases with primary flow, so bisection
 * finds it. Zero if `target` is not above the secondary inlet temperature.
 */
export function primaryFlowFor(
  exchanger: HeatExchanger,
  primaryInlet: Celsius,
  secondary: Stream,
  target: Celsius,
  max: KilogramPerSecond,
): PrimaryDemand {
  const at = (flow: number): ExchangeResult =>
    exchangeHeat(exchanger, { flow: kilogramPerSecond(flow), inlet: primaryInlet }, secondary)
  const none = kilogramPerSecond(0)
  if (!(target > secondary.inlet)) return { kind: 'reached', primaryFlow: none, result: at(none) }
  const all = at(max)
  if (all.secondarySupply < target) return { kind: 'short', primaryFlow: max, result: all }
  let low = 0
  let high: number = max
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2
    if (at(middle).secondarySupply < target) low = middle
    else high = middle
  }
  return { kind: 'reached', primaryFlow: kilogramPerSecond(high), result: at(high) }
}
