import { z } from 'zod'
import type { FieldGateway } from '../devices/gateway/field-gateway.ts'
import { fault, isDeviceFault } from '../faults/fault.ts'
import type { Field } from '../field/field.ts'
import type { LoopMains } from '../plant/loop-mains.ts'
import type { StationPlant } from '../plant/station-plant.ts'
import { gatewayState, restoreGateway, saveGateway } from './device-state.ts'
import { fromText, type Numbers, toText } from './numbers-text.ts'

const deviceFault = fault.refine(isDeviceFault)

const stationState = z.object({
  supplyC: z.number(),
  supplyOffsetK: z.number().default(0),
  primaryKgS: z.number(),
  isShort: z.boolean(),
  outdoorC: z.number(),
  heatW: z.number(),
  gainW: z.number(),
  totalFlowKgS: z.number(),
  isValvesMoved: z.boolean(),
  isMasterOpen: z.boolean().default(true),
  /** Pump: head setpoint, if any, Pa, and speed; by default the design speed. */
  heldHeadPa: z.number().optional(),
  runSpeed: z.number().optional(),
  /** All arrays of the plant and the report clock (`numbersOf`). */
  numbers: z.string(),
  concentrator: gatewayState,
})

/** Complete state of a field. A restored field continues exactly as the saved one. */
export const twinSnapshot = z.object({
  v: z.literal(2),
  scenario: z.string(),
  seed: z.number(),
  boot: z.number().int().positive(),
  simTimeS: z.number().positive(),
  faults: z.object({
    nowS: z.number(),
    active: z.array(z.object({ fault: deviceFault, sinceS: z.number() })),
    waiting: z.array(deviceFault),
  }),
  stations: z.array(stationState),
  /** Valves with their own link, each with the numbers of its report clock. */
  ownGateways: z.array(z.object({ numbers: z.string(), gateway: gatewayState })).default([]),
})
export type TwinSnapshot = z.infer<typeof twinSnapshot>

const isNumbers = (value: unknown): value is Float64Array => value instanceof Float64Array

/** Start flows of the next solve, and the state of the mains. */
const numbersOfLoops = ({ state, mains, shut }: LoopMains): Numbers[] => [
  state.linkFlow,
  mains.flow,
  mains.through,
  mains.order,
  shut,
]

/** Every array of a station that changes with time, in a fixed order. */
function numbersOf({ plant, reports }: FieldGateway): Numbers[] {
  const { households, network, hydraulics, circuitFaults, supplyPipes, returnPipes } = plant
  const { flowKgS, supplyC, airGainW, airC, massC, emitterC, returnC, takenW, emittedW, lostW } = households
  return [
    plant.openings,
    plant.bypassShare,
    plant.supplyAtNode,
    plant.returnAtNode,
    plant.unitReturnC,
    circuitFaults.clogging,
    circuitFaults.bypass,
    circuitFaults.privateHeadPa,
    network.circuitResistance,
    network.valveResistance,
    // The solver starts at its last solution, so the solution is part of the state.
    ...Object.values(hydraulics).filter(isNumbers),
    flowKgS,
    supplyC,
    airGainW,
    airC,
    massC,
    emitterC,
    returnC,
    takenW,
    emittedW,
    lostW,
    ...[supplyPipes, returnPipes].flatMap((p) => [p.parcelC, p.parcelJK, p.mixedC, p.first, p.used, p.lostW]),
    ...(plant.loops === undefined ? [] : numbersOfLoops(plant.loops)),
    ...(plant.soil === undefined ? [] : [plant.soil.waterMm, plant.soil.rainedMm]),
    reports.dueMs,
  ]
}

function takeStation(concentrator: FieldGateway): z.infer<typeof stationState> {
  const { plant } = concentrator
  const { supplyC, supplyOffsetK, primaryKgS, isShort, outdoorC, heatW, gainW, hydraulics } = plant
  const { isValvesMoved, isMasterOpen, heldHeadPa, runSpeed } = plant
  return {
    supplyC,
    supplyOffsetK,
    primaryKgS,
    isShort,
    outdoorC,
    heatW,
    gainW,
    isValvesMoved,
    isMasterOpen,
    heldHeadPa,
    runSpeed,
    totalFlowKgS: hydraulics.totalFlow,
    numbers: toText(numbersOf(concentrator)),
    concentrator: saveGateway(concentrator),
  }
}

/** Saves the present state of plant and devices. */
export function takeSnapshot({ plant, concentrators, gateways }: Field, boot: number): TwinSnapshot {
  const { scenario, simTimeS, faults } = plant
  const { active, waiting, nowS } = faults.save()
  return {
    v: 2,
    scenario: scenario.name,
    seed: scenario.seed,
    boot,
    simTimeS,
    faults: { nowS, active: [...active], waiting: [...waiting] },
    stations: concentrators.map(takeStation),
    ownGateways: gateways.slice(concentrators.length).map((gateway) => ({
      numbers: toText([gateway.reports.dueMs]),
      gateway: saveGateway(gateway),
    })),
  }
}

function restoreStation(concentrator: FieldGateway, saved: z.infer<typeof stationState>): void {
  const plant: StationPlant = concentrator.plant
  const { numbers, totalFlowKgS, concentrator: remembered, ...scalars } = saved
  fromText(numbers, numbersOf(concentrator))
  const { heldHeadPa, runSpeed = plant.spec.pumpSpeed } = scalars
  Object.assign(plant, { ...scalars, heldHeadPa, runSpeed })
  plant.hydraulics.totalFlow = totalFlowKgS
  restoreGateway(concentrator, remembered)
}

/** Restores a field from a snapshot of the same scenario. Throws for a snapshot of another scenario. */
export function restoreSnapshot(snapshot: TwinSnapshot, { plant, concentrators, gateways }: Field): void {
  const { scenario, seed, stations, ownGateways } = snapshot
  const isSame = scenario === plant.scenario.name && seed === plant.scenario.seed
  if (
    !isSame ||
    stations.length !== concentrators.length ||
    stations.length + ownGateways.length !== gateways.length
  ) {
    const size = `${stations.length} stations and ${ownGateways.length} devices with a link of their own`
    throw new Error(`the snapshot is of ${scenario} (${seed}) with ${size}`)
  }
  plant.simTimeS = snapshot.simTimeS
  plant.faults.load(snapshot.faults)
  plant.appliedFaults = plant.faults.revision()
  stations.forEach((saved, index) => {
    const concentrator = concentrators[index]
    if (concentrator !== undefined) restoreStation(concentrator, saved)
  })
  const own = gateways.slice(concentrators.length)
  ownGateways.forEach((saved, index) => {
    const gateway = own[index]
    if (gateway === undefined) return
    fromText(saved.numbers, [gateway.reports.dueMs])
    restoreGateway(gateway, saved.gateway)
  })
}
