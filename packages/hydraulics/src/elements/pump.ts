import {
  type KilogramPerSecond,
  kilogramPerSecond,
  type Pascal,
  pascal,
  type Watt,
  watt,
} from '@isotherm/kernel/quantities'

/**
 * Head of a pump at relative speed s (1 = nominal): Δp = h0·s² + h1·s·ṁ − h2·ṁ². Affinity holds by construction.
 * `h0` Pa, `h1` Pa/(kg/s), `h2` Pa/(kg/s)².
 */
export interface PumpCurve {
  readonly h0: number
  readonly h1: number
  readonly h2: number
}

/** A curve through the shut-off head and one duty point, without linear term. */
export function pumpThrough(shutOff: Pascal, dutyHead: Pascal, dutyFlow: KilogramPerSecond): PumpCurve {
  return { h0: shutOff, h1: 0, h2: (shutOff - dutyHead) / dutyFlow ** 2 }
}

/** Head at a flow and a relative speed, Pa; never below zero. */
export function pumpHead(pump: PumpCurve, flow: KilogramPerSecond, speed: number): Pascal {
  return pascal(Math.max(0, pump.h0 * speed ** 2 + pump.h1 * speed * flow - pump.h2 * flow ** 2))
}

/**
 * Operating point of the pump in a network of equivalent conductance G (ṁ = G·√Δp): the positive root of
 * (1/G² + h2)·ṁ² − h1·s·ṁ − h0·s² = 0. Zero if the network is shut or the pump is off.
 */
export function operatingFlow(pump: PumpCurve, speed: number, conductance: number): KilogramPerSecond {
  if (conductance <= 0 || speed <= 0) return kilogramPerSecond(0)
  const quadratic = 1 / conductance ** 2 + pump.h2
  const linear = pump.h1 * speed
  return kilogramPerSecond(
    (linear + Math.sqrt(linear ** 2 + 4 * quadratic * pump.h0 * speed ** 2)) / (2 * quadratic),
  )
}

/** Electric power for a hydraulic duty at a total efficiency 0..1: P = Δp·ṁ/(ρ·η). */
export function pumpPower(
  head: Pascal,
  flow: KilogramPerSecond,
  densityKgM3: number,
  efficiency: number,
): Watt {
  return watt((head * flow) / (densityKgM3 * efficiency))
}

/**
 * Relative speed at which a pump gives a head at a flow: the positive root of h0·s² + h1·ṁ·s − h2·ṁ² = Δp. Worked
 * example: pump.test.ts.
 */
export function speedFor({ h0, h1, h2 }: PumpCurve, headPa: number, flowKgS: number): number {
  const linear = h1 * flowKgS
  const rest = headPa + h2 * flowKgS ** 2
  return (-linear + Math.sqrt(linear ** 2 + 4 * h0 * rest)) / (2 * h0)
}
