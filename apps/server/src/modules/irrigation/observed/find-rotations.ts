import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** A reading of a valve: its opening, %, or its flow, m³/h. Instants are Unix ms. */
export interface ValveReading {
  readonly deviceId: number
  readonly ts: number
  readonly metric: 'opening' | 'flow'
  readonly value: number
}

/** A valve of a group, with its stated flow. */
export interface GroupValve {
  readonly deviceId: number
  readonly groupId: number
  readonly flowM3H: number
}

/** Water of some valves during [fromMs, toMs). */
interface Watering {
  readonly fromMs: number
  readonly toMs: number
  readonly volumeM3: number
  /** Part of the volume by the meters of the valves; the rest is by their stated flow. */
  readonly measuredM3: number
}
interface ValveWatering extends Watering, GroupValve {}

/** A group that was watered. */
export interface ObservedStep extends Watering {
  readonly groupId: number
  readonly valveIds: readonly number[]
}

/** Groups that were watered one after the other, or together. */
export interface Rotation {
  readonly fromMs: number
  readonly toMs: number
  readonly steps: readonly ObservedStep[]
}

/** When a step of a run had its valves. */
export interface OwnStep {
  readonly valveIds: readonly number[]
  readonly openedMs: number
  /** Infinity: it has them still. */
  readonly closedMs: number
}

/** A valve that is silent for longer is not known to have stayed open: valves report each quarter of an hour, some each hour. */
const MAX_SILENCE_MS = 2 * HOUR_MS
/** Groups of one rotation follow each other within this time. */
const GAP_MS = 2 * MINUTE_MS
/** Clocks of valves and of the server differ by less. */
const SKEW_MS = MINUTE_MS

/** Times at which one valve was open, by its readings in the order of their time. `toMs` is Infinity while it is open. */
function* findOfValve(
  valve: GroupValve,
  readings: readonly ValveReading[],
  now: number,
): Generator<ValveWatering> {
  let [fromMs, lastMs, openingPct, volumeM3, measuredM3]: [
    number | undefined,
    number,
    number,
    number,
    number,
  ] = [undefined, 0, 0, 0, 0]
  let flowM3H: number | undefined
  const end = (toMs: number): ValveWatering => ({
    ...valve,
    fromMs: fromMs ?? toMs,
    toMs,
    volumeM3,
    measuredM3,
  })
  for (const { ts, metric, value } of readings) {
    if (fromMs !== undefined && ts - lastMs > MAX_SILENCE_MS) {
      yield end(lastMs)
      fromMs = undefined
    }
    if (fromMs !== undefined) {
      const m3 = ((flowM3H ?? (valve.flowM3H * openingPct) / 100) * (ts - lastMs)) / HOUR_MS
      volumeM3 += m3
      measuredM3 += flowM3H === undefined ? 0 : m3
    }
    lastMs = ts
    const isOpen = metric === 'opening' ? value > OPENING_TOLERANCE_PCT : fromMs !== undefined
    if (metric === 'opening') openingPct = value
    if (isOpen && fromMs === undefined) [fromMs, volumeM3, measuredM3, flowM3H] = [ts, 0, 0, undefined]
    else if (!isOpen && fromMs !== undefined) {
      yield end(ts)
      fromMs = undefined
    }
    // A valve that is shut has no flow that says anything of its next opening.
    if (metric === 'flow' && fromMs !== undefined) flowM3H = value
  }
  if (fromMs !== undefined) yield end(now - lastMs > MAX_SILENCE_MS ? lastMs : Number.POSITIVE_INFINITY)
}

const isOwn = ({ deviceId, fromMs, toMs }: ValveWatering, own: readonly OwnStep[]): boolean =>
  own.some(
    ({ valveIds, openedMs, closedMs }) =>
      valveIds.includes(deviceId) && fromMs < closedMs + SKEW_MS && toMs > openedMs - SKEW_MS,
  )

/** Adds a watering of a valve to the last step of its group, if it is part of it. */
function addToSteps(steps: ObservedStep[], watering: ValveWatering): void {
  const { deviceId, groupId, fromMs, toMs, volumeM3, measuredM3 } = watering
  const index = steps.findLastIndex((step) => step.groupId === groupId)
  const step = steps[index]
  if (!step || fromMs > step.toMs + GAP_MS) {
    steps.push({ groupId, valveIds: [deviceId], fromMs, toMs, volumeM3, measuredM3 })
    return
  }
  steps[index] = {
    ...step,
    valveIds: [...new Set([...step.valveIds, deviceId])],
    toMs: Math.max(step.toMs, toMs),
    volumeM3: step.volumeM3 + volumeM3,
    measuredM3: step.measuredM3 + measuredM3,
  }
}

/**
 * What valves reported that no run had opened: rotations that are over, earliest first. Readings are in the order of their time; a
 * valve of several groups counts for the first.
 */
export function findRotations(
  readings: readonly ValveReading[],
  { valves, own, now }: { valves: readonly GroupValve[]; own: readonly OwnStep[]; now: number },
): readonly Rotation[] {
  const byValve = Map.groupBy(readings, ({ deviceId }) => deviceId)
  const groupOf = new Map(valves.toReversed().map((valve) => [valve.deviceId, valve] as const))
  const waterings = [...groupOf.values()]
    .flatMap((valve) => [...findOfValve(valve, byValve.get(valve.deviceId) ?? [], now)])
    .filter((watering) => watering.toMs > watering.fromMs && !isOwn(watering, own))
    .toSorted((one, other) => one.fromMs - other.fromMs || one.deviceId - other.deviceId)
  const rotations: { fromMs: number; toMs: number; steps: ObservedStep[] }[] = []
  for (const watering of waterings) {
    let rotation = rotations.at(-1)
    if (!rotation || watering.fromMs > rotation.toMs + GAP_MS) {
      rotation = { fromMs: watering.fromMs, toMs: watering.toMs, steps: [] }
      rotations.push(rotation)
    }
    rotation.toMs = Math.max(rotation.toMs, watering.toMs)
    addToSteps(rotation.steps, watering)
  }
  return rotations.filter(({ toMs }) => toMs + GAP_MS <= now)
}
