import { NO_MEMORY, type StepMemory } from '@isotherm/balancing/step/step-memory'
import { z } from 'zod'
import type { Loop } from '../loop/loop.ts'

const numbers = z.array(z.number()).readonly()
const places = z.array(z.number().int().nonnegative()).readonly()

const stepMemory = z.object({
  snapshots: z.array(z.object({ headPa: z.number(), flowKgS: numbers, openings: numbers })).readonly(),
  broken: places,
  suspected: places,
  proven: places,
}) satisfies z.ZodType<StepMemory>

/** What a round leaves to its verification and to the next round; arrays by consumer as the loop was then. */
const roundMemory = z.object({
  /** Number of the valve of each consumer. */
  devices: numbers,
  step: stepMemory,
  /** Where stems are believed to stand with the plan carried out, 0..1. */
  openings: numbers,
  /** Openings that valves then report, %. */
  reportedPct: numbers,
  moves: z.array(z.object({ consumer: z.number(), from: z.number(), to: z.number() })),
  isTrim: z.boolean(),
  /** Of a slow trim: where the last balance left valves, 0..1, and what their returns were off by since, K·d. */
  trim: z.object({ base: numbers, integralKd: numbers }).optional(),
  /** Sensors of the rooms that were measured, and of those that were cold. */
  rooms: z.object({ measured: numbers, cold: numbers }),
})
export type RoundMemory = z.infer<typeof roundMemory>

/** Throws for what no round of this version left. */
export const readMemory = (memory: unknown): RoundMemory => roundMemory.parse(memory)

/** Whether a loop has the consumers that a memory is of, in its order. */
export const isSameLoop = ({ devices }: RoundMemory, { consumers }: Loop): boolean =>
  devices.length === consumers.length && consumers.every(({ deviceId }, index) => devices[index] === deviceId)

/** What a memory says of a loop as it is now: of one that has changed only which of its valves were found out. */
export function stepMemoryFor(memory: RoundMemory | undefined, loop: Loop): StepMemory {
  if (memory === undefined) return NO_MEMORY
  if (isSameLoop(memory, loop)) return memory.step
  const placeOf = new Map(loop.consumers.map(({ deviceId }, index) => [deviceId, index]))
  const move = (indices: readonly number[]): number[] =>
    indices.flatMap((index) => placeOf.get(memory.devices[index] ?? 0) ?? [])
  const { broken, suspected, proven } = memory.step
  return { snapshots: [], broken: move(broken), suspected: move(suspected), proven: move(proven) }
}
