import type { FlowBounds, TargetLimit, Targets } from './targets.ts'
import { restAtFlow, restAtRoom, type ThermalModel } from './thermal-model.ts'

/** What a slot holds each consumer to: a share of its full flow, or where that is NaN rooms at a temperature, °C. */
export interface SlotAims {
  readonly share: Float64Array
  readonly roomC: Float64Array
  readonly fullKgS: Float64Array
  /** Rooms that nobody is let cool below, °C. */
  readonly frostC: number
}

/** Flow at which rooms would rest at a temperature, kg/s; 0 where they would without, Infinity where the emitter is too small. */
function flowAtRoom(model: ThermalModel, consumer: number, roomC: number): number {
  if (roomC <= model.outdoorC) return 0
  return restAtRoom(model, consumer, roomC)?.flowKgS ?? Number.POSITIVE_INFINITY
}

const isKnown = (model: ThermalModel, consumer: number): boolean =>
  (model.coefficient[consumer] ?? Number.NaN) > 0 && (model.lossWK[consumer] ?? Number.NaN) > 0

/**
 * Target flows of a slot, each at least what holds frost away and within its bounds. A consumer that the model does not know
 * has no frost flow, and keeps `keptKgS` where rooms are asked for. Openings and head are then solved for all, since
 * whoever closes gives flow to the rest. Worked examples: slot-aims.test.ts.
 */
export function aimSlot(
  model: ThermalModel,
  { share, roomC, fullKgS, frostC }: SlotAims,
  keptKgS: Float64Array,
  { leastKgS, mostKgS }: FlowBounds,
): Targets {
  const limited = new Map<number, TargetLimit>()
  const flowKgS = fullKgS.map((full, i) => {
    const known = isKnown(model, i)
    const part = share[i] ?? Number.NaN
    const byRoom = known ? flowAtRoom(model, i, roomC[i] ?? Number.NaN) : (keptKgS[i] ?? 0)
    const asked = Number.isNaN(part) ? byRoom : part * full
    const frost = known ? flowAtRoom(model, i, frostC) : 0
    const [least, most] = [Math.max(leastKgS[i] ?? 0, frost), mostKgS[i] ?? Number.POSITIVE_INFINITY]
    if (Number.isNaN(part) && !known) limited.set(i, 'unknown')
    else if (asked > most) limited.set(i, Number.isFinite(asked) ? 'most-flow' : 'emitter-too-small')
    else if (asked < least) limited.set(i, 'least-flow')
    return Math.min(most, Math.max(least, asked))
  })
  const rests = Array.from(flowKgS, (flow, i) => restAtFlow(model, i, flow))
  return {
    ...{ flowKgS, limited, common: Number.NaN },
    returnC: Float64Array.from(rests, (rest) => rest?.returnC ?? Number.NaN),
    roomC: Float64Array.from(rests, (rest) => rest?.roomC ?? Number.NaN),
  }
}
