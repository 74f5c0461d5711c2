import { findLosses, type LoopLosses } from '@isotherm/balancing/indices/loop-losses'
import { findStepFlows } from '@isotherm/balancing/step/step-flows'
import { NO_MEMORY, remember } from '@isotherm/balancing/step/step-memory'
import { modelOf } from '@isotherm/balancing/step/step-model'
import type { DeviceState } from '@isotherm/contract/devices'
import type { MetricName } from '@isotherm/contract/metrics'
import type { Loop } from '../loop/loop.ts'
import { estimatesOf, recordsOf } from '../loop/records.ts'
import { byArea } from './loop-indices.ts'
import { toKgS } from './measured-loop.ts'
import { findHeadPa, newestOf } from './newest.ts'

/** Assumed opening of a valve without a reported one, 0..1: its flow is measured. */
const ANY_OPENING = 0.6

type FindState = (deviceId: number) => DeviceState | undefined

/**
 * Distribution of the head of a whole loop, from its records and the newest readings, with flow by area as required
 * flow. Undefined without a measured head or flow, and without valves.
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
  const seen = {
    supplyC: ofValves('temp.supply'),
    returnC: ofValves('temp.return'),
    meterKgS,
    roomC: new Float64Array(consumers.length).fill(Number.NaN),
    outdoorC: newestOf(controller, 'temp.outdoor'),
    headPa,
    totalKgS,
    dropPa: ofValves('pressure.diff').map((kpa) => 1000 * kpa),
    pumpW: 1000 * newestOf(controller, 'pump.power'),
  }
  const records = recordsOf(loop, estimatesOf(loop, seen))
  const flowKgS = findStepFlows(records, seen, 'metered')
  const openings = ofValves('valve.opening').map((pct) => (pct > 0 ? pct / 100 : ANY_OPENING))
  const model = modelOf(records, remember(NO_MEMORY, { headPa, flowKgS, openings }), 'metered')
  return findLosses(model, { headPa, flowKgS }, byArea(records.areaM2, flowKgS))
}
