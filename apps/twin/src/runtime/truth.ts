import { toM3H } from '@isotherm/hydraulics/elements/water'
import type { Fault } from '../faults/fault.ts'
import type { Field } from '../field/field.ts'
import { primarySupply } from '../plant/heat-source.ts'
import { computeImbalance, type Imbalance } from '../plant/imbalance.ts'
import { pumpNow, type StationPlant, unitFlow } from '../plant/station-plant.ts'
import type { Sky } from '../plant/weather.ts'

/** True state of a unit. */
export interface UnitTruth {
  readonly key: string
  readonly valve: string
  /** Position by the motor, and true position of the stem, %. */
  readonly openingPct: number
  readonly stemPct: number
  readonly flowM3h: number
  readonly designFlowM3h: number
  readonly bypassM3h: number
  readonly supplyTempC: number
  readonly returnTempC: number
  readonly roomTempsC: readonly number[]
}

/** State of a main that closes a loop. */
export interface LoopTruth {
  readonly isOpen: boolean
  /** Flow from its first end to its second; negative in the other direction. */
  readonly flowM3h: number
}

export interface StationTruth {
  readonly key: string
  readonly supplyTempC: number
  readonly returnTempC: number
  readonly primarySupplyTempC: number
  readonly primaryFlowM3h: number
  /** True if the primary side could not reach the supply temperature of the curve. */
  readonly isShort: boolean
  readonly flowM3h: number
  readonly headKpa: number
  readonly pumpKw: number
  readonly heatKw: number
  readonly loops: readonly LoopTruth[]
  readonly units: readonly UnitTruth[]
}

/** True state of the field, which no device reports; for tests and teaching. */
export interface Truth {
  readonly scenario: string
  readonly simTimeS: number
  readonly sky: Sky
  readonly imbalance: Imbalance
  readonly faults: readonly Fault[]
  readonly stations: readonly StationTruth[]
}

const PERCENT = 100

function unitTruth(
  station: StationPlant,
  positions: ReadonlyMap<string, number>,
  index: number,
): UnitTruth[] {
  const unit = station.spec.units[index]
  if (unit === undefined) return []
  const { network, hydraulics, households, firstFlat, supplyAtNode, unitReturnC, openings } = station
  const flow = unitFlow(station, index)
  const rooms = households.airC.slice(firstFlat[index], firstFlat[index + 1])
  return [
    {
      key: unit.key,
      valve: unit.valveSerial,
      openingPct: PERCENT * (positions.get(unit.valveSerial) ?? 0),
      stemPct: PERCENT * (openings[index] ?? 0),
      flowM3h: toM3H(flow),
      designFlowM3h: toM3H(unit.designFlow),
      bypassM3h: toM3H((hydraulics.circuitFlow[index] ?? 0) - flow),
      supplyTempC: supplyAtNode[network.circuitNode[index] ?? 0] ?? station.supplyC,
      returnTempC: unitReturnC[index] ?? station.supplyC,
      roomTempsC: Array.from(rooms),
    },
  ]
}

const loopTruths = ({ loops, mains, network }: StationPlant): LoopTruth[] =>
  Array.from(loops?.shut ?? [], (shut, loop) => ({
    isOpen: shut === 0,
    flowM3h: toM3H(mains.flow[network.pipeCount + loop] ?? 0),
  }))

/** Present true state of a field. */
export function readTruth({ plant, gateways }: Field): Truth {
  const valves = gateways.flatMap((gateway) => [...gateway.valves])
  const positions = new Map(valves.map(([serial, { actuator }]) => [serial, actuator.position]))
  return {
    scenario: plant.scenario.name,
    simTimeS: plant.simTimeS,
    sky: plant.weather(plant.simTimeS),
    imbalance: computeImbalance(plant),
    faults: [...plant.faults.targets()].flatMap((target) =>
      plant.faults.of(target).map(({ fault }) => fault),
    ),
    stations: plant.stations.map((station) => {
      const { headPa, powerW } = pumpNow(station)
      return {
        key: station.spec.key,
        supplyTempC: station.supplyC,
        returnTempC: station.returnAtNode[station.network.pipeCount] ?? station.supplyC,
        primarySupplyTempC: primarySupply(station.outdoorC),
        primaryFlowM3h: toM3H(station.primaryKgS),
        isShort: station.isShort,
        flowM3h: toM3H(station.hydraulics.totalFlow),
        headKpa: headPa / 1000,
        pumpKw: powerW / 1000,
        heatKw: station.heatW / 1000,
        loops: loopTruths(station),
        units: station.spec.units.flatMap((_, index) => unitTruth(station, positions, index)),
      }
    }),
  }
}
