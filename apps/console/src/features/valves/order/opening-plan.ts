import type { ValveHold } from '@isotherm/contract/command'
import type { Device } from '@isotherm/contract/devices'
import type { OrderPreview, OrderRefusal, RefusalReason } from '@isotherm/contract/order-preview'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { canControl, findMetric } from '../rows/valve-row.ts'

/** The verdict on a valve of an order: what a command would do, or why none is sent. */
export type PlanVerdict = 'change' | 'same' | 'not-controllable' | RefusalReason

/** Verdicts in display order: those that are sent first. */
const verdicts = [
  'change',
  'same',
  'held',
  'below-minimum',
  'too-far',
  'outside-limits',
  'switched-off',
  'retired',
  'not-a-valve',
  'not-controllable',
] as const satisfies readonly PlanVerdict[]

/** One row of the preview: current opening, new opening and verdict of a valve. */
export interface PlanItem {
  readonly device: Device
  readonly fromPct: number | undefined
  readonly toPct: number
  readonly verdict: PlanVerdict
  /** The refusal by the server, if any. */
  readonly refusal: OrderRefusal | undefined
  /** The hold that the order would end. */
  readonly ends: ValveHold | undefined
}

type Previewed = Pick<OrderPreview, 'refused' | 'ends'>

function toVerdict(
  device: Device,
  refusal: OrderRefusal | undefined,
  fromPct: number | undefined,
  toPct: number,
): PlanVerdict {
  if (!canControl(device)) return 'not-controllable'
  if (refusal) return refusal.reason
  return fromPct !== undefined && Math.round(fromPct) === Math.round(toPct) ? 'same' : 'change'
}

/** The preview of setting all `devices` to `toPct` (%), by the refusals and ended holds from the server. */
export function planOpenings(
  devices: readonly Device[],
  states: StateLookup,
  toPct: number,
  { refused, ends }: Previewed,
): readonly PlanItem[] {
  const refusalOf = new Map(refused.map((refusal) => [refusal.deviceId, refusal]))
  const endOf = new Map(ends.map((hold) => [hold.deviceId, hold]))
  return devices.map((device) => {
    const fromPct = findMetric(states.get(device.id), 'valve.opening')
    const refusal = refusalOf.get(device.id)
    const verdict = toVerdict(device, refusal, fromPct, toPct)
    return { device, fromPct, toPct, verdict, refusal, ends: endOf.get(device.id) }
  })
}

/**
 * The items that are sent. A valve already at the target is sent too: its own target may differ from its position, and
 * repeating an absolute target is harmless.
 */
export const toSendable = (plan: readonly PlanItem[]): readonly PlanItem[] =>
  plan.filter(({ verdict }) => verdict === 'change' || verdict === 'same')

/** Number of items per verdict, in display order. Verdicts without items are left out. */
export function countVerdicts(plan: readonly PlanItem[]): readonly (readonly [PlanVerdict, number])[] {
  const counts = new Map<PlanVerdict, number>()
  for (const { verdict } of plan) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  return verdicts.flatMap((verdict) => {
    const count = counts.get(verdict)
    return count === undefined ? [] : [[verdict, count] as const]
  })
}

/** Range of a valve without limits of its own, %. */
const FULL_RANGE = { minPct: 0, maxPct: 100 }

/** The range of openings that every device allows, %; undefined if there is none. */
export function findCommonLimits(
  devices: readonly Device[],
): { readonly minPct: number; readonly maxPct: number } | undefined {
  let { minPct, maxPct } = FULL_RANGE
  for (const { limits = FULL_RANGE } of devices) {
    minPct = Math.max(minPct, limits.minPct)
    maxPct = Math.min(maxPct, limits.maxPct)
  }
  return minPct <= maxPct ? { minPct, maxPct } : undefined
}
