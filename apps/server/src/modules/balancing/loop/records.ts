import {
  type AssumedStation,
  type AssumedUnit,
  assumeRecords,
  estimateRecords,
  type RecordEstimates,
  type RecordReadings,
} from '@isotherm/balancing/records/assumed-loop'
import { kvsOfPlate } from '@isotherm/balancing/records/assumed-valve'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import type { RecordedPipe } from '@isotherm/balancing/records/recorded-pipes'
import { curveOfPlate } from '@isotherm/balancing/records/valve-plate'
import type { PipeMaterial } from '@isotherm/contract/network/pipes'
import { listAbove } from '../../../platform/scope/scope.ts'
import type { LoopPipe } from './loop.pg.ts'
import { type Loop, type LoopConsumer, toStreet } from './loop.ts'
import { toStatedValve } from './stated-valve.ts'

/** Wall roughness of pipes in service, mm: hot water in steel by CJJ 34, drawn copper, extruded plastics. */
const USUAL_ROUGHNESS_MM = {
  steel: 0.5,
  copper: 0.0015,
  'pe-rt': 0.015,
  pb: 0.015,
  'pp-r': 0.015,
} as const satisfies Record<PipeMaterial, number>

const toRecorded = ({
  from,
  to,
  lengthM,
  innerDiameterMm,
  material,
  roughnessMm,
}: LoopPipe): RecordedPipe => ({
  from,
  to,
  lengthM,
  innerDiameterM: innerDiameterMm / 1000,
  roughnessM: (roughnessMm ?? USUAL_ROUGHNESS_MM[material]) / 1000,
})

/**
 * The pipe end nearest to a valve, inside its building: a valve of a household may be supplied from a pipe that ends at
 * its unit.
 */
function placeIn(building: string, { path }: LoopConsumer, ends: ReadonlySet<string>): string {
  const inside = [path, ...listAbove(path).toReversed()].filter(
    (each) => each.startsWith(building) && each !== building,
  )
  return inside.find((each) => ends.has(each)) ?? path
}

/** What the registry has of a station's loop. */
function toStation({ areas, station, pipes }: Loop): AssumedStation {
  const ends = new Set(pipes.flatMap(({ from, to }) => [from, to]))
  const toUnit = (building: string, consumer: LoopConsumer): AssumedUnit => ({
    areaM2: consumer.areaM2 ?? 0,
    kvs: kvsOfPlate(consumer.model),
    shape: curveOfPlate(consumer.model),
    stated: consumer.characteristic ? toStatedValve(consumer.characteristic) : undefined,
    emitters: consumer.emitter,
    place: placeIn(building, consumer, ends),
  })
  return {
    place: station.path,
    pipes: pipes.map(toRecorded),
    areas: areas.map((buildings) => {
      const first = buildings[0]?.[0]
      return {
        place: first ? toStreet(first).area : '',
        buildings: buildings.map((consumers) => {
          const building = consumers[0] ? toStreet(consumers[0]).building : ''
          return { place: building, units: consumers.map((consumer) => toUnit(building, consumer)) }
        }),
      }
    }),
  }
}

/**
 * Records of a loop: floor areas and emitters from the registry, valves as stated, else from name plates, pipes as
 * recorded between nodes, and usual pipes where none are recorded. Estimates replace what the registry does not have.
 */
export const recordsOf = (loop: Loop, estimates?: RecordEstimates): LoopRecords =>
  assumeRecords(toStation(loop), {}, estimates)

/** What readings say about floor areas that are not recorded, and about the loss of the station's exchanger. */
export const estimatesOf = (loop: Loop, readings: RecordReadings): RecordEstimates =>
  estimateRecords(toStation(loop), readings)
