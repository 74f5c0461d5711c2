import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { findRoot } from '../numeric/find-root.ts'

/**
 * Heat transfer of the consumers, arrays by consumer: Q = K·LMTD(T_s, T_r, T_i)^n into rooms that lose UA·(T_i −
 * T_o). K in W/K^n, UA in W/K. UA includes free gains: it is the heat of the water divided by the difference to
 * outside.
 */
export interface ThermalModel {
  readonly outdoorC: number
  /** Supply temperature at each consumer, °C. */
  readonly supplyC: Float64Array
  readonly coefficient: Float64Array
  readonly exponent: Float64Array
  readonly lossWK: Float64Array
}

/** Steady state of a consumer: water in kg/s, heat in W, temperatures in °C. */
export interface RestPoint {
  readonly flowKgS: number
  readonly returnC: number
  readonly roomC: number
  readonly heatW: number
}

/** Mean values of a window for a model; room temperatures may be assumed if none is measured. */
export interface ThermalSnapshot {
  readonly outdoorC: number
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  readonly flowKgS: Float64Array
  readonly roomC: Float64Array
  readonly exponent: Float64Array
  /** 1 for a consumer whose room temperatures still change. */
  readonly roomsMove?: Uint8Array | undefined
}

/**
 * K = Q/LMTD^n and UA = Q/(T_i − T_o) at the operating point of a snapshot; NaN if a reading is missing. Where room
 * temperatures still change, UA is NaN, because part of the heat is stored in the building. Emitters respond within the
 * window, so K is known.
 */
export function thermalModelAt(snapshot: ThermalSnapshot): ThermalModel {
  const { supplyC, returnC, flowKgS, roomC, exponent, outdoorC, roomsMove } = snapshot
  const coefficient = new Float64Array(flowKgS.length)
  const lossWK = new Float64Array(flowKgS.length)
  for (let i = 0; i < flowKgS.length; i++) {
    const [supply, back] = [supplyC[i] ?? Number.NaN, returnC[i] ?? Number.NaN]
    const room = roomC[i] ?? Number.NaN
    const heat = (flowKgS[i] ?? Number.NaN) * WATER_HEAT_CAPACITY * (supply - back)
    const excess = logMeanDifference(supply - room, back - room)
    const isSound = heat > 0 && excess > 0 && room > outdoorC
    coefficient[i] = isSound ? heat / excess ** (exponent[i] ?? 1) : Number.NaN
    lossWK[i] = isSound && roomsMove?.[i] !== 1 ? heat / (room - outdoorC) : Number.NaN
  }
  return { outdoorC, supplyC, coefficient, exponent, lossWK }
}

/** Tolerance of temperatures, K. */
const TOLERANCE_K = 1e-8

/** Parameters of a consumer; undefined if the model does not know it. */
function read(model: ThermalModel, consumer: number) {
  const supplyC = model.supplyC[consumer] ?? Number.NaN
  const k = model.coefficient[consumer] ?? Number.NaN
  const n = model.exponent[consumer] ?? Number.NaN
  const loss = model.lossWK[consumer] ?? Number.NaN
  return k > 0 && n > 0 && loss > 0 && supplyC > model.outdoorC ? { supplyC, k, n, loss } : undefined
}

/** Steady state with a given return temperature; undefined if it is impossible or the consumer is unknown. */
export function restAtReturn(model: ThermalModel, consumer: number, returnC: number): RestPoint | undefined {
  const known = read(model, consumer)
  if (known === undefined || !(returnC < known.supplyC && returnC > model.outdoorC)) return undefined
  const { supplyC, k, n, loss } = known
  const roomC = findRoot(
    model.outdoorC,
    returnC,
    TOLERANCE_K,
    (room) => k * logMeanDifference(supplyC - room, returnC - room) ** n - loss * (room - model.outdoorC),
  )
  const heatW = loss * (roomC - model.outdoorC)
  return { flowKgS: heatW / (WATER_HEAT_CAPACITY * (supplyC - returnC)), returnC, roomC, heatW }
}

/** Steady state with a given heat; undefined if the emitter is too small or the consumer is unknown. */
export function restAtHeat(model: ThermalModel, consumer: number, heatW: number): RestPoint | undefined {
  const known = read(model, consumer)
  if (known === undefined || !(heatW > 0)) return undefined
  const { supplyC, k, n, loss } = known
  const roomC = model.outdoorC + heatW / loss
  const inlet = supplyC - roomC
  const excess = (heatW / k) ** (1 / n)
  if (!(excess < inlet)) return undefined
  const outlet = findRoot(0, inlet, TOLERANCE_K, (y) => excess - logMeanDifference(inlet, y))
  const returnC = roomC + outlet
  return { flowKgS: heatW / (WATER_HEAT_CAPACITY * (inlet - outlet)), returnC, roomC, heatW }
}

/** Steady state with a given room temperature. */
export const restAtRoom = (model: ThermalModel, consumer: number, roomC: number): RestPoint | undefined =>
  restAtHeat(model, consumer, (model.lossWK[consumer] ?? Number.NaN) * (roomC - model.outdoorC))

/** Steady state with a given flow. */
export function restAtFlow(model: ThermalModel, consumer: number, flowKgS: number): RestPoint | undefined {
  const known = read(model, consumer)
  if (known === undefined || !(flowKgS > 0)) return undefined
  // A higher return means more flow, so the missing flow falls as the return rises.
  const { supplyC } = known
  const missing = (returnC: number): number =>
    flowKgS - (restAtReturn(model, consumer, returnC)?.flowKgS ?? 0)
  return restAtReturn(model, consumer, findRoot(model.outdoorC + 1e-6, supplyC - 1e-6, TOLERANCE_K, missing))
}
