import type { RawMessage, ReplyMessage } from '@isotherm/contract/mqtt'
import { collectReports, type Reports } from '../devices/gateway/collect-reports.ts'
import { createConcentrator, createOwnGateways } from '../devices/gateway/create-gateways.ts'
import { type FieldGateway, receiveCommand, runMeters, runMotors } from '../devices/gateway/field-gateway.ts'
import { passFrames } from '../devices/gateway/pass-frames.ts'
import type { Pace } from '../devices/models/valve-actuator.ts'
import { type DeviceFault, isDeviceFault } from '../faults/fault.ts'
import { createPlant, type Plant, stepPlant } from '../plant/plant.ts'
import type { Scenario } from '../scenarios/scenario.ts'

/** Messages of a gateway after a step. */
export interface Outgoing extends Reports {
  readonly gateway: FieldGateway
  readonly replies: readonly ReplyMessage[]
}

/**
 * Plant and devices of a company, without connections. The caller provides two times: wire time in Unix ms, for reports and
 * time stamps, and plant time in simulated seconds. The same seed, calls and times give the same messages.
 */
export interface Field {
  readonly plant: Plant
  /** One per station. */
  readonly concentrators: readonly FieldGateway[]
  /** All gateways: the concentrators, then the valves with their own link. */
  readonly gateways: readonly FieldGateway[]
  /** Advances the plant by `simS` seconds and wire time to `nowMs`. */
  readonly step: (nowMs: number, simS: number) => Outgoing[]
  readonly receive: (gateway: FieldGateway, message: unknown, nowMs: number) => ReplyMessage[]
  /** Sends frames to a concentrator's bus and returns the answers. */
  readonly passFrames: (
    concentrator: FieldGateway,
    frames: readonly Uint8Array[],
    nowMs: number,
  ) => RawMessage[]
  /** Adds a fault, active now or from its own start. Throws if the device does not exist. */
  readonly inject: (fault: DeviceFault) => void
}

export interface FieldOptions {
  readonly boot: number
  readonly nowMs: number
  readonly pace: Pace
  /** Warmed up, cold, or cold from a simulated second on. */
  readonly warmUp: 'warm-up' | 'cold' | number
}

export function createField(scenario: Scenario, options: FieldOptions): Field {
  const { boot, nowMs, pace, warmUp } = options
  const { seed, firmware } = scenario
  const plant = createPlant(scenario, warmUp)
  const { faults } = plant
  const devices = { seed, boot, pace, firmware, faults, nowMs }
  const concentrators = plant.stations.map((station) => createConcentrator(station, devices))
  const gateways = [
    ...concentrators,
    ...plant.stations.flatMap((station) => createOwnGateways(station, devices)),
  ]
  const isThere = (serial: string): boolean => gateways.some(({ placeOf }) => placeOf.has(serial))
  const check = ({ kind, target }: DeviceFault): void => {
    if (!isThere(target)) throw new Error(`${target} cannot be ${kind}: there is no such device`)
  }
  for (const fault of scenario.faults) if (isDeviceFault(fault)) check(fault)
  return {
    plant,
    concentrators,
    gateways,
    step: (at, simS) => {
      const replies = gateways.map((gateway) => runMotors(gateway, at, plant.simTimeS + simS))
      stepPlant(plant, simS)
      return gateways.map((gateway, index) => {
        runMeters(gateway, plant.simTimeS, simS)
        const reports = collectReports(gateway, at, plant.simTimeS)
        return { gateway, replies: replies[index] ?? [], ...reports }
      })
    },
    receive: (gateway, message, at) => receiveCommand(gateway, message, at, plant.simTimeS),
    passFrames: (concentrator, frames, at) => passFrames(concentrator, frames, at, plant.simTimeS),
    inject: (fault) => {
      check(fault)
      faults.inject(fault)
    },
  }
}
