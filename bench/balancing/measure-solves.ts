import { identifyLoop, USUAL_PRIOR } from '@isotherm/balancing/identify/identify-loop'
import { solveLoop } from '@isotherm/balancing/loop/loop-flows'
import { planMoves } from '@isotherm/balancing/moves/fewest-moves'
import { SHORT_RMS } from '@isotherm/balancing/plan/plan-step'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import { computeTargets } from '@isotherm/balancing/rooms/targets'
import { thermalModelAt } from '@isotherm/balancing/rooms/thermal-model'
import { pascal } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import { generateScenario, HEALTHY } from './generate-scenario.ts'
import { filled } from './read-site.ts'
import { toDesignRecords } from './records.ts'

const HEAD_PA = 200_000
const SNAPSHOTS = 10
const REPEATS = 5

/** Prepares a solve: the model of a loop and its operating point, computed from records. */
function prepare({ loop, exponent, areaM2, designKgS }: LoopRecords, seed: number) {
  const random = createRandom(seed)
  const count = areaM2.length
  const takeSnapshot = () => {
    const openings = Float64Array.from({ length: count }, () => 0.45 + 0.5 * random())
    const { flowKgS } = solveLoop(loop, openings, { kind: 'head', head: pascal(HEAD_PA) })
    return { headPa: HEAD_PA, flowKgS, openings }
  }
  const snapshots = Array.from({ length: SNAPSHOTS }, takeSnapshot)
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
    const bounds = { minKgS: filled(count, 0), maxKgS: filled(count, 99) }
    const mode = { kind: 'return', totalKgS, offsetK: filled(count, 0) } as const
    const { flowKgS: targetKgS } = computeTargets(thermal, mode, now.flowKgS, bounds)
    planMoves(
      loop,
      {
        targetKgS,
        openings: now.openings,
        isFixed: new Uint8Array(count),
        minOpening: 0.1,
        indexOpening: 0.95,
        servedShare: 0.97,
        shortRms: SHORT_RMS,
        shortage: 'shared',
        pump: { kind: 'free', maxHeadPa: 2 * HEAD_PA },
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

/** Shortest processor time of several calls, ms. Other load on the machine can only make a call longer. */
function fastest(call: () => void): number {
  let shortest = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const started = process.cpuUsage()
    call()
    const { user, system } = process.cpuUsage(started)
    shortest = Math.min(shortest, (user + system) / 1000)
  }
  return shortest
}

/**
 * Measures two times: from targets to the plan of moves, and identification from ten snapshots. The stations are solved
 * one after the other in one process; `buildings` is the number per station.
 */
export function measureSolve(stations: number, buildings: number) {
  const siteSettings = {
    seed: 1,
    stations,
    buildings,
    floorShare: 0,
    faulty: HEALTHY,
    unknownCurves: undefined,
  }
  const loops = generateScenario(siteSettings).stations.map((station, index) =>
    prepare(toDesignRecords(station, index), index),
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
