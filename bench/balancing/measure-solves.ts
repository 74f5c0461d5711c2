import { identifyLoop, USUAL_PRIOR } from '@isotherm/balancing/identify/identify-loop'
import { solveLoop } from '@isotherm/balancing/loop/loop-flows'
import { planMoves } from '@isotherm/balancing/moves/fewest-moves'
import { SHORT_RMS } from '@isotherm/balancing/plan/plan-step'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import { computeTargets } from '@isotherm/balancing/rooms/targets'
import { thermalModelAt } from '@isotherm/balancing/rooms/thermal-model'
import { pascal } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { generateScenario, HEALTHY } from './generated-site.ts'
import { filled } from './read-site.ts'
import { keepRecords } from './records.ts'

const HEAD_PA = 200_000
const SNAPSHOTS = 10
const REPEATS = 5

/** A loop's operating point from its records: the start of a solve. */
function prepare({ loop, exponent, areaM2, designKgS }: LoopRecords, seed: number) {
  const random = createRandom(seed)
  const count = areaM2.length
  const take = () => {
    const openings = Float64Array.from({ length: count }, () => 0.45 + 0.5 * random())
    const { flowKgS } = solveLoop(loop, openings, { kind: 'head', head: pascal(HEAD_PA) })
    return { headPa: HEAD_PA, flowKgS, openings }
  }
  const snapshots = Array.from({ length: SNAPSHOTS }, take)
  const [now] = snapshots
  if (now === undefined) throw new Error('no snapshot')
  const returnC = now.flowKgS.map((flow, i) => 38 + 4 * Math.log(flow / (designKgS[i] ?? 1)))
  const thermal = thermalModelAt({
    outdoorC: -5,
    supplyC: filled(count, 46),
    returnC,
    flowKgS: now.flowKgS,
    roomC: filled(count, 20),
    exponent,
  })
  const solve = () => {
    const totalKgS = now.flowKgS.reduce((sum, flow) => sum + flow, 0)
    const bounds = { leastKgS: filled(count, 0), mostKgS: filled(count, 99) }
    const mode = { kind: 'return', totalKgS, offsetK: filled(count, 0) } as const
    const { flowKgS: targetKgS } = computeTargets(thermal, mode, now.flowKgS, bounds)
    planMoves(
      loop,
      {
        targetKgS,
        openings: now.openings,
        isFixed: new Uint8Array(count),
        leastOpening: 0.1,
        indexOpening: 0.95,
        servedShare: 0.97,
        shortRms: SHORT_RMS,
        shortage: 'shared',
        pump: { kind: 'free', mostHeadPa: 2 * HEAD_PA },
      },
      {
        step: 0.01,
        dropShare: 0.03,
        allowedRms: 0.02,
        trustSpan: 0.4,
        visitedLow: now.openings,
        visitedHigh: now.openings,
      },
    )
  }
  const identify = () => {
    identifyLoop(loop, snapshots, { ...USUAL_PRIOR, flow: filled(count, 0.012), headPa: 1000 })
  }
  return { solve, identify }
}

/** Shortest of some calls, ms of processor time: other load of the machine can only make a call longer. */
function fastest(call: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const started = process.cpuUsage()
    call()
    const { user, system } = process.cpuUsage(started)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/**
 * Times from targets to the plan of moves, and of identification from ten snapshots. The buildings are behind stations of
 * 100 or 200 buildings, solved one after the other in one process.
 */
export function measureSolve(stations: number, buildings: number) {
  const order = { seed: 1, stations, buildings, floorShare: 0, sick: HEALTHY, unknownCurves: undefined }
  const loops = generateScenario(order).stations.map((station, index) =>
    prepare(keepRecords(station, index), index),
  )
  return {
    solveMs: fastest(() => {
      for (const { solve } of loops) solve()
    }),
    identifyMs: fastest(() => {
      for (const { identify } of loops) identify()
    }),
  }
}
