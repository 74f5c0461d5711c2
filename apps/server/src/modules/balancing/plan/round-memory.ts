import type { RecordEstimates } from '@isotherm/balancing/records/assumed-loop'
import { areaSources } from '@isotherm/balancing/records/estimate-areas'
import type { LoopReadings } from '@isotherm/balancing/records/loop-records'
import { ASSUMED_DROP, chooseStationDrop, stationSources } from '@isotherm/balancing/records/station-drop'
import { NO_MEMORY, type StepMemory } from '@isotherm/balancing/step/step-memory'
import type { FlowKnowledge } from '@isotherm/contract/balancing/campaign'
import { z } from 'zod'
import type { Loop } from '../loop/loop.ts'
import { BACKLASH } from './motor-backlash.ts'

/** Positions of a stem nearer to each other than this are the same, 0..1. */
const SAME = 0.01

const numbers = z.array(z.number()).readonly()
const places = z.array(z.number().int().nonnegative()).readonly()

/** Estimated records of the first round of a campaign. Later rounds use the same ones. */
const recordEstimates = z.object({
  areas: z.object({ areaM2: numbers, source: z.array(z.enum(areaSources)).readonly(), sigma: numbers }),
  station: z
    .object({ dropPa: z.number(), sigma: z.number(), source: z.enum(stationSources) })
    // Memories of earlier versions have none.
    .default(ASSUMED_DROP),
}) satisfies z.ZodType<RecordEstimates>

const stepMemory = z.object({
  snapshots: z.array(z.object({ headPa: z.number(), flowKgS: numbers, openings: numbers })).readonly(),
  broken: places,
  suspected: places,
  proven: places,
}) satisfies z.ZodType<StepMemory>

/**
 * State that a round leaves for its verification and for the next round; arrays by consumer of the loop at that time.
 */
const roundMemory = z.object({
  /** Id of the valve of each consumer. */
  devices: numbers,
  step: stepMemory,
  /** Absent in rounds of earlier versions. */
  estimates: recordEstimates.optional(),
  /** Estimated stem openings once the plan is carried out, 0..1. */
  openings: numbers,
  /** Openings that valves then report, %. */
  reportedPct: numbers,
  moves: z.array(z.object({ consumer: z.number(), from: z.number(), to: z.number() })),
  isTrim: z.boolean(),
  /** Least flow for the sake of rooms as a share of the flow before the round, 0..1; absent in earlier versions. */
  minShare: numbers.optional(),
  /** Consumers whose flow before the round was no measured one; absent in earlier versions. */
  guessed: places.optional(),
  /** State of a slow trim: openings after the last balance, 0..1, and accumulated errors of returns, K·d. */
  trim: z.object({ base: numbers, integralKd: numbers }).optional(),
  /** Sensors of the measured rooms, and of the cold ones among them. */
  rooms: z.object({ measured: numbers, cold: numbers }),
})
export type RoundMemory = z.infer<typeof roundMemory>

/** Throws for a memory that this version cannot read. */
export const readMemory = (memory: unknown): RoundMemory => roundMemory.parse(memory)

/** The valves of a loop, in its order. */
interface Valves {
  readonly consumers: readonly Pick<Loop['consumers'][number], 'deviceId'>[]
}

/** Whether a loop has the consumers of a memory, in its order. */
export const isSameLoop = ({ devices }: RoundMemory, { consumers }: Valves): boolean =>
  devices.length === consumers.length && consumers.every(({ deviceId }, index) => devices[index] === deviceId)

/** Consumers whose flow is no measured one: without a meter's reading, or without a return where flows come from temperatures. */
export const listGuessed = (
  { meterKgS, returnC }: Pick<LoopReadings, 'meterKgS' | 'returnC'>,
  flows: FlowKnowledge,
): number[] =>
  [...(flows === 'metered' ? meterKgS : returnC)].flatMap((value, index) =>
    Number.isNaN(value) ? index : [],
  )

/**
 * The part of a memory that is valid for the present loop; if the loop has changed, only the verdicts on its valves.
 */
export function stepMemoryFor(memory: RoundMemory | undefined, loop: Loop): StepMemory {
  if (memory === undefined) return NO_MEMORY
  if (isSameLoop(memory, loop)) return memory.step
  const placeOf = new Map(loop.consumers.map(({ deviceId }, index) => [deviceId, index]))
  const move = (indices: readonly number[]): number[] =>
    indices.flatMap((index) => placeOf.get(memory.devices[index] ?? 0) ?? [])
  const { broken, suspected, proven } = memory.step
  return { snapshots: [], broken: move(broken), suspected: move(suspected), proven: move(proven) }
}

/** Estimates of a memory that are valid for the present loop. */
export const estimatesFor = (memory: RoundMemory | undefined, loop: Valves): RecordEstimates | undefined =>
  memory && isSameLoop(memory, loop) ? memory.estimates : undefined

/**
 * Estimates of a new campaign. The loss of the exchanger stays that of the last accepted campaign of the loop within its
 * error, so that a balance and the trims after it have one model.
 */
export function keepEstimates(
  now: RecordEstimates,
  accepted: RoundMemory | undefined,
  loop: Valves,
): RecordEstimates {
  const earlier = estimatesFor(accepted, loop)
  return earlier ? { ...now, station: chooseStationDrop(earlier.station, now.station) } : now
}

/**
 * Memory of a round of which some valves were taken back. `takenBack`: their openings, %, by device. A valve that opened
 * again in part has moved less; one that is where it was before has not moved.
 */
export function withTakenBack(memory: RoundMemory, takenBack: ReadonlyMap<number, number>): RoundMemory {
  const backOf = (consumer: number): number | undefined => takenBack.get(memory.devices[consumer] ?? 0)
  const moves = memory.moves.map((move) => {
    const back = backOf(move.consumer)
    if (back === undefined) return move
    const stem = back / 100 - BACKLASH / 2
    const isPart = move.to < stem && stem < move.from - SAME
    return { ...move, to: isPart ? stem : move.from }
  })
  const stems = new Map(moves.map(({ consumer, to }) => [consumer, to]))
  return {
    ...memory,
    moves: moves.filter(({ from, to }) => to !== from),
    openings: memory.openings.map((to, consumer) => stems.get(consumer) ?? to),
    reportedPct: memory.reportedPct.map((shown, consumer) => backOf(consumer) ?? shown),
  }
}
