import { findLosses, type LoopLosses } from '@isotherm/balancing/indices/loop-losses'
import { findStepFlows } from '@isotherm/balancing/step/step-flows'
import { NO_MEMORY, remember } from '@isotherm/balancing/step/step-memory'
import { modelOf } from '@isotherm/balancing/step/step-model'
import type { DeviceState } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import type { Loop } from '../loop/loop.ts'
import { recordsOf } from '../loop/records.ts'
import { byArea } from './loop-indices.ts'
import { toKgS } from './measured-loop.ts'
import { findHeadPa, newestOf } from './newest.ts'

/** Where a valve that says nothing is taken to stand, 0..1: what it lets through is measured. */
const ANY_OPENING = 0.6

type FindState = (deviceId: number) => DeviceState | undefined

/**
 * Where the head of a whole loop goes, by its records and what newest readings make likely of them, with flow by area as
 * what is required. Undefined where its head is not measured, or no flow, and where it has no valves yet.
 */
export function findLossesNow(loop: Loop, findState: FindState): LoopLosses | undefined {
  const { station, consumers } = loop
  const states = consumers.map(({ deviceId }) => findState(deviceId))
  const ofValves = (metric: MetricName) => Float64Array.from(states, (state) => newestOf(state, metric))
  if (consumers.length === 0) return undefined
  const controller = findState(station.deviceId)
  const headPa = findHeadPa(controller)
  const meterKgS = ofValves('heat.flow').map(toKgS)
  const totalKgS = toKgS(newestOf(controller, 'heat.flow'))
  if (!(headPa > 0) || !(totalKgS > 0 || meterKgS.some((flow) => flow > 0))) return undefined
  const records = recordsOf(loop)
  const seen = {
    supplyC: ofValves('temp.supply'),
    returnC: ofValves('temp.return'),
    meterKgS,
    roomC: new Float64Array(consumers.length).fill(Number.NaN),
    outdoorC: newestOf(controller, 'temp.outdoor'),
    headPa,
    totalKgS,
  }
  const flowKgS = findStepFlows(records, seen, 'metered')
  const openings = ofValves('valve.opening').map((pct) => (pct > 0 ? pct / 100 : ANY_OPENING))
  const model = modelOf(records, remember(NO_MEMORY, { headPa, flowKgS, openings }), 'metered')
  return findLosses(model, { headPa, flowKgS }, byArea(records.areaM2, flowKgS))
}
