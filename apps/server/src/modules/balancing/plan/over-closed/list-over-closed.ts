import { solveLoop } from '@isotherm/balancing/loop/loop-flows'
import type { LoopModel } from '@isotherm/balancing/loop/loop-model'
import { positionFor } from '@isotherm/balancing/moves/backlash'
import { easeHarmless } from '@isotherm/balancing/moves/ease-harmless'
import type { ValveMove } from '@isotherm/balancing/moves/fewest-moves'
import { findOverClosed } from '@isotherm/balancing/moves/find-over-closed'
import { REPEAT_SIGMA } from '@isotherm/balancing/step/curved-loop'
import type { FlowKnowledge } from '@isotherm/contract/balancing/campaign'
import { pascal } from '@isotherm/kernel/quantities'
import { listCold } from '../../measurements/cold-rooms.ts'
import { BACKLASH } from '../motor-backlash.ts'
import type { Verification } from '../planner.ts'
import { isSameLoop, type RoundMemory } from '../round-memory.ts'

interface Consumer {
  readonly deviceId: number
  readonly rooms: readonly { readonly deviceId: number }[]
}

/** A settled round. */
export interface SettledRound {
  readonly loop: { readonly consumers: readonly Consumer[] }
  readonly memory: RoundMemory
  readonly flows: FlowKnowledge
  readonly model: LoopModel
  /** Measured flows after the round, kg/s; NaN where they are only guessed. */
  readonly afterKgS: Float64Array
  readonly headPa: number
  /** Temperatures of the measured rooms, °C, by device. */
  readonly rooms: ReadonlyMap<number, number>
}

/** Consumers with a room that was cold when the round was planned, or is cold now. Rooms cooled on purpose do not count. */
function listColdConsumers({ loop, memory, rooms }: SettledRound): number[] {
  const measured = new Set(memory.rooms.measured)
  const cold = new Set([
    ...memory.rooms.cold,
    ...listCold(rooms).filter((deviceId) => measured.has(deviceId)),
  ])
  return loop.consumers.flatMap((consumer, i) =>
    consumer.rooms.some(({ deviceId }) => cold.has(deviceId)) ? i : [],
  )
}

/** The move as a motor does it: to a position of whole per cent, rounded upwards. */
function roundUp(move: ValveMove): ValveMove {
  const position = Math.ceil(100 * positionFor(move.to, move.from, BACKLASH)) / 100
  return { ...move, to: Math.max(move.from, position - BACKLASH / 2) }
}

/**
 * Openings, %, of the valves that closed further than planned and than the rooms of their buildings allow, by device. They
 * open less far where that would take flow from cold rooms.
 */
export function listOverClosed(round: SettledRound): NonNullable<Verification['overClosed']> {
  const { loop, memory, flows, model, afterKgS, headPa } = round
  const before = memory.step.snapshots.at(-1)
  if (!isSameLoop(memory, loop) || !before || !memory.minShare) return []
  const solve = (openings: ArrayLike<number>, head: number) =>
    solveLoop(model, openings, { kind: 'head', head: pascal(head) }).flowKgS
  const modelBeforeKgS = solve(before.openings, before.headPa)
  const guessed = new Set(memory.guessed)
  const over = findOverClosed({
    moves: memory.moves,
    minShare: memory.minShare,
    sigma: REPEAT_SIGMA[flows],
    beforeKgS: Float64Array.from(before.flowKgS, (flow, i) => (guessed.has(i) ? Number.NaN : flow)),
    afterKgS,
    modelBeforeKgS,
    modelAfterKgS: solve(memory.openings, headPa),
    modelStayedKgS: ({ consumer, from }) =>
      solve(memory.openings.with(consumer, from), headPa)[consumer] ?? Number.NaN,
  })
  const eased = easeHarmless({
    moves: over.map(roundUp),
    openings: memory.openings,
    cold: listColdConsumers(round),
    beforeKgS: modelBeforeKgS,
    solve: (openings) => solve(openings, headPa),
  })
  return eased.map(({ consumer, from, to }) => ({
    deviceId: loop.consumers[consumer]?.deviceId ?? 0,
    // Only moves that became shorter are between two positions, and open to the lower one.
    toPct: Math.floor(100 * positionFor(to, from, BACKLASH) + 1e-6),
  }))
}
