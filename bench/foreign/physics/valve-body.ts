import { WATER } from './water.ts'

/**
 * Shape of a valve's characteristic: `equal` is an equal-percentage plug, `linear` a linear plug, `ball` a body
 * without a shaped seat, which has three quarters of its capacity at half its stroke.
 */
export type ValveShape = 'equal' | 'linear' | 'ball'

/** A valve: capacity in m³/h at 1 bar when open, and the ratio of largest to smallest capacity of an equal plug. */
export interface ValveBody {
  readonly shape: ValveShape
  readonly kvs: number
  readonly ratio: number
}

/** Leakage of a closed valve as a share of its capacity. */
const LEAK_SHARE = 1e-4

/** Share of the capacity at a stem position 0..1. Worked example: valve-body.test.ts. */
export function capacityShare({ shape, ratio }: Pick<ValveBody, 'shape' | 'ratio'>, stem: number): number {
  const u = Math.min(1, Math.max(0, stem))
  if (shape === 'linear') return Math.max(LEAK_SHARE, u)
  if (shape === 'ball') return Math.max(LEAK_SHARE, 1 - (1 - u) ** 2)
  // An equal-percentage plug closes in a straight line below a twentieth of its stroke.
  const free = ratio ** (Math.max(u, 0.05) - 1)
  return Math.max(LEAK_SHARE, u < 0.05 ? (free * u) / 0.05 : free)
}

/** Resistance in Pa/(kg/s)² of a valve with a capacity in m³/h: 1 bar at that volume flow and 1000 kg/m³. */
export const resistanceOfKv = (kv: number): number => {
  const massKgS = (kv * WATER.densityKgM3) / 3600
  return (1e5 * (WATER.densityKgM3 / 1000)) / massKgS ** 2
}

/** Resistance of a valve at a stem position, Pa/(kg/s)². */
export const valveResistance = (body: ValveBody, stem: number): number =>
  resistanceOfKv(body.kvs * capacityShare(body, stem))
