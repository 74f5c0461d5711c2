import type { RawMessage, ReplyMessage } from '@isotherm/contract/mqtt'
import { collectReports, type Reports } from '../devices/gateway/collect-reports.ts'
import { createConcentrator, createOwnNodes } from '../devices/gateway/create-gateways.ts'
import { type FieldNode, receiveCommand, runMeters, runMotors } from '../devices/gateway/field-gateway.ts'
import { passFrames } from '../devices/gateway/pass-frames.ts'
import type { Pace } from '../devices/models/valve-actuator.ts'
import { type DeviceFault, isDeviceFault } from '../faults/fault.ts'
import { createPlant, type Plant, stepPlant } from '../plant/plant.ts'
import type { Scenario } from '../scenarios/scenario.ts'

/** What a node has to send after a step. */
export interface Outgoing extends Reports {
  readonly node: FieldNode
  readonly replies: readonly ReplyMessage[]
}

/**
 * Plant and devices of a company, without any connection. It has two clocks and reads neither by itself: the wire's in
 * Unix ms, by which devices report and stamp, and the plant's in simulated seconds. The same seed, calls and instants
 * give the same messages.
 */
export interface Field {
  readonly plant: Plant
  /** By station. */
  readonly concentrators: readonly FieldNode[]
  /** All clients of the broker: the concentrators, and then the valves with a link of their own. */
  readonly nodes: readonly FieldNode[]
  /** Lets `simS` seconds go by in the plant while the wire's clock comes to `nowMs`. */
  readonly step: (nowMs: number, simS: number) => Outgoing[]
  readonly receive: (node: FieldNode, message: unknown, nowMs: number) => ReplyMessage[]
  /** Puts frames on a concentrator's bus and answers what came back from it. */
  readonly passFrames: (concentrator: FieldNode, frames: readonly Uint8Array[], nowMs: number) => RawMessage[]
  /** Makes a device sick from now on or from the fault's own time. Throws for a device that is not there. */
  readonly inject: (fault: DeviceFault) => void
}

export interface FieldOptions {
  readonly boot: number
  readonly nowMs: number
  readonly pace: Pace
  readonly warmUp: 'warm-up' | 'cold'
}

export function createField(scenario: Scenario, options: FieldOptions): Field {
  const { boot, nowMs, pace, warmUp } = options
  const { seed, firmware } = scenario
  const plant = createPlant(scenario, warmUp)
  const { faults } = plant
  const devices = { seed, boot, pace, firmware, faults, nowMs }
  const concentrators = plant.stations.map((station) => createConcentrator(station, devices))
  const nodes = [...concentrators, ...plant.stations.flatMap((station) => createOwnNodes(station, devices))]
  const isThere = (serial: string): boolean => nodes.some(({ placeOf }) => placeOf.has(serial))
  const check = ({ kind, target }: DeviceFault): void => {
    if (!isThere(target)) throw new Error(`${target} cannot be ${kind}: there is no such device`)
  }
  for (const fault of scenario.faults) if (isDeviceFault(fault)) check(fault)
  return {
    plant,
    concentrators,
    nodes,
    step: (at, simS) => {
      const replies = nodes.map((node) => runMotors(node, at, plant.simTimeS + simS))
      stepPlant(plant, simS)
      return nodes.map((node, index) => {
        runMeters(node, plant.simTimeS, simS)
        const reports = collectReports(node, at, plant.simTimeS)
        return { node, replies: replies[index] ?? [], ...reports }
      })
    },
    receive: (node, message, at) => receiveCommand(node, message, at, plant.simTimeS),
    passFrames: (concentrator, frames, at) => passFrames(concentrator, frames, at, plant.simTimeS),
    inject: (fault) => {
      check(fault)
      faults.inject(fault)
    },
  }
}
