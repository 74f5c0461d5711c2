import type { EmitterType } from '../physics/emitters.ts'
import type { Flats } from '../physics/flats.ts'
import type { Leak, Trench } from '../physics/network.ts'
import type { HeatRun } from '../physics/pipe-run.ts'
import type { ValveBody } from '../physics/valve-body.ts'

/** A building with one motor valve at its inlet. */
export interface BuildingSpec {
  /** Junction at the end of its own service trench, and the junction on the street. */
  readonly junction: number
  readonly street: number
  readonly emitter: EmitterType
  readonly areaM2: number
  readonly designKgS: number
  /** Risers and emitters without valve and strainer, and a clean strainer, Pa/(kg/s)². */
  readonly circuit: number
  readonly strainer: number
  readonly valve: ValveBody
  /** Opening before the run, 0..1, and the whole dead travel of its motor. */
  readonly opening: number
  readonly backlash: number
}

/**
 * Pump of the station. Its curve is H₀ − b·q², Pa. With `holdPa` its drive holds that head between supply and return
 * as long as the curve allows; otherwise it runs at one speed. The exchanger is outside the two pressure taps.
 */
export interface PumpSpec {
  readonly shutOffPa: number
  readonly curve: number
  readonly exchanger: number
  readonly holdPa: number | undefined
}

/** A generated plant. Trench i ends at junction i. */
export interface PlantSpec {
  readonly seed: number
  readonly buildings: readonly BuildingSpec[]
  readonly trenches: readonly Trench[]
  /** Heat of the supply and of the return pipe of each trench. */
  readonly runs: readonly HeatRun[]
  /** Junctions in the order of streets, for records. */
  readonly streets: readonly { readonly buildings: readonly number[] }[]
  readonly bypass: { readonly junction: number; readonly resistance: number } | undefined
  readonly leaks: readonly Leak[]
  readonly pump: PumpSpec
  readonly flats: Flats
  /** Supply temperature at −9 °C and at 5 °C outdoors. */
  readonly heating: { readonly coldC: number; readonly mildC: number }
}

/** Changes of a case to the base plant. */
export interface PlantChanges {
  readonly seed: number
  /** Number of buildings on each street. */
  readonly streets?: readonly number[]
  readonly linearShare?: number
  readonly ballShare?: number
  readonly floorShare?: number
  readonly pump?: 'constant-speed' | 'constant-head'
  /** Buildings with a clogged strainer. */
  readonly clogged?: number
}
