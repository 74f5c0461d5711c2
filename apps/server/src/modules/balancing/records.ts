import { assumeRecords } from '@isotherm/balancing/assumed-loop'
import { kvsOfPlate } from '@isotherm/balancing/assumed-valve'
import type { LoopRecords } from '@isotherm/balancing/loop-records'
import type { Loop } from './loop.ts'

/** What is believed of a loop before anything is measured: floors from the registry, valves by their models' plates. */
export const recordsOf = ({ areas }: Loop): LoopRecords =>
  assumeRecords({
    areas: areas.map((buildings) => ({
      buildings: buildings.map((consumers) => ({
        units: consumers.map(({ areaM2, model }) => ({ areaM2: areaM2 ?? 0, kvs: kvsOfPlate(model) })),
      })),
    })),
  })
