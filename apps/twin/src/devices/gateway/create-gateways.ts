import {
  createRandom,
  createResumableRandom,
  type Random,
  type ResumableRandom,
} from '@isotherm/kernel/random'
import type { FrozenValues } from '../../faults/distort.ts'
import type { FaultBoard } from '../../faults/fault-board.ts'
import type { StationPlant } from '../../plant/station-plant.ts'
import type { Firmware } from '../../scenarios/firmware.ts'
import { createFieldSensors } from '../models/field-sensor.ts'
import { createHeatMeter, type HeatMeter } from '../models/heat-meter.ts'
import { createPumpController, type PumpController } from '../models/pump-controller.ts'
import { createRoomSensors, type RoomSensor } from '../models/room-sensor.ts'
import { createStationDevice } from '../models/station-device.ts'
import { createSupplyController, type SupplyController } from '../models/supply-controller.ts'
import type { Pace } from '../models/valve-actuator.ts'
import { createValveDevice, type ValveDevice } from '../models/valve-device.ts'
import type { Child, FieldGateway } from './field-gateway.ts'
import { createGatewayClock } from './gateway-clock.ts'
import { createReportClock } from './report-clock.ts'

export interface GatewayOptions {
  readonly seed: number
  readonly boot: number
  readonly pace: Pace
  readonly firmware: Firmware
  readonly faults: FaultBoard
  readonly nowMs: number
}

/** FNV-1a hash of a serial, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Separates the random numbers of noise from those of constant errors. */
const NOISE = 0x5bd1e995

interface Parts {
  readonly serial: string
  readonly children: readonly Child[]
  readonly valves: readonly ValveDevice[]
  readonly meters: readonly HeatMeter[]
  readonly rooms: readonly RoomSensor[]
  readonly ownLink: Firmware['ownLink'] | undefined
  readonly pump: PumpController | undefined
  readonly supply: SupplyController | undefined
}

/** Random sources of a gateway's devices: one for constant errors, one for the noise of readings. */
function openRandomSources(seed: number, serial: string) {
  const self = seed ^ hashText(serial)
  const source = { noise: createResumableRandom(self ^ NOISE) }
  return { source, identity: createRandom(self), noise: () => source.noise.draw() }
}

/** Completes the gateway with its noise source, which a snapshot can replace. */
function assemble(
  source: { noise: ResumableRandom },
  plant: StationPlant,
  { boot, firmware, faults, nowMs }: GatewayOptions,
  identity: Random,
  { valves, children, ...parts }: Parts,
): FieldGateway {
  return Object.assign(source, {
    ...parts,
    plant,
    faults,
    firmware,
    children,
    placeOf: new Map(children.map((child, place) => [child.serial, place])),
    valves: new Map(valves.map((valve) => [valve.serial, valve])),
    reports: createReportClock(children.length),
    clock: createGatewayClock(firmware.clockDriftPpm, identity, nowMs),
    frozen: new Map<string, FrozenValues>(),
    boot,
    telemetrySeq: 0,
    replySeq: 0,
    rawSeq: 0,
  })
}

/** A station's concentrator with everything on its bus. */
export function createConcentrator(plant: StationPlant, options: GatewayOptions): FieldGateway {
  const { spec } = plant
  const { pace, firmware } = options
  const { source, identity, noise } = openRandomSources(options.seed, spec.stationSerial)
  const motors = { pace, onBattery: firmware.awakeS !== undefined, identity, noise }
  const valves = spec.units.flatMap((unit, index) => {
    const hasProbe = spec.watering?.places[index]?.hasProbe ?? false
    return unit.hasOwnLink ? [] : createValveDevice(unit, index, { ...motors, hasProbe })
  })
  const meters = spec.buildings.flatMap(({ meter, node, units }) => {
    const designKgS = units.reduce((sum, unit) => sum + (spec.units[unit]?.designFlow ?? 0), 0)
    return meter === undefined ? [] : createHeatMeter(meter.serial, node, designKgS, identity, noise)
  })
  const rooms = createRoomSensors(plant, identity, noise)
  const station = createStationDevice(spec, identity, noise)
  const sensors = createFieldSensors(spec, identity, noise)
  const serial = spec.concentratorSerial
  const children: Child[] = [
    { kind: 'concentrator', serial },
    { kind: 'station', serial: station.serial, device: station },
    ...valves.map((device): Child => ({ kind: 'valve', serial: device.serial, device })),
    ...meters.map((device): Child => ({ kind: 'heat-meter', serial: device.serial, device })),
    ...rooms.map((device): Child => ({ kind: 'room-sensor', serial: device.serial, device })),
    ...sensors.map((device): Child => ({ kind: 'sensor', serial: device.serial, device })),
  ]
  const pump = spec.heating && createPumpController(spec.stationSerial, pace)
  const supply = spec.heating && createSupplyController(spec.stationSerial)
  const parts = { serial, children, valves, meters, rooms, ownLink: undefined, pump, supply }
  return assemble(source, plant, options, identity, parts)
}

/** The valves of a station with their own link, each of them a gateway. */
export function createOwnGateways(plant: StationPlant, options: GatewayOptions): FieldGateway[] {
  const { pace, firmware } = options
  return plant.spec.units.flatMap((unit, index) => {
    if (!unit.hasOwnLink) return []
    const { source, identity, noise } = openRandomSources(options.seed, unit.valveSerial)
    const valve = createValveDevice(unit, index, { pace, onBattery: true, hasProbe: false, identity, noise })
    const { serial } = valve
    const children: Child[] = [{ kind: 'valve', serial, device: valve }]
    const parts = {
      serial,
      children,
      valves: [valve],
      meters: [],
      rooms: [],
      ownLink: firmware.ownLink,
      pump: undefined,
      supply: undefined,
    }
    return assemble(source, plant, options, identity, parts)
  })
}
