import type { ValveHold } from '@isotherm/contract/command'
import type { Device } from '@isotherm/contract/devices'
import type { OrderPreview, OrderRefusal, RefusalReason } from '@isotherm/contract/order-preview'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { canControl, findMetric } from '../rows/valve-row.ts'

/** Why a valve of a plan will not be told anything, or why it will. */
export type PlanVerdict = 'change' | 'same' | 'not-controllable' | RefusalReason

/** In the order in which they are listed: what will happen, then what will not. */
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

/** One line of the preview: what a valve has, what it would get, and whether it may. */
export interface PlanItem {
  readonly device: Device
  readonly fromPct: number | undefined
  readonly toPct: number
  readonly verdict: PlanVerdict
  /** What the server refused, and by what. */
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

/** What setting all of `devices` to `toPct` (%) would mean for each, by what the server says of the order. */
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
 * The items that are sent. A valve already there is sent too: its target may differ from its position, and
 * an absolute target repeated does no harm.
 */
export const toSendable = (plan: readonly PlanItem[]): readonly PlanItem[] =>
  plan.filter(({ verdict }) => verdict === 'change' || verdict === 'same')

/** How many items have each verdict that any has, what will happen first. */
export function countVerdicts(plan: readonly PlanItem[]): readonly (readonly [PlanVerdict, number])[] {
  const counts = new Map<PlanVerdict, number>()
  for (const { verdict } of plan) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  return verdicts.flatMap((verdict) => {
    const count = counts.get(verdict)
    return count === undefined ? [] : [[verdict, count] as const]
  })
}

/** Widest limits a valve without its own has, %. */
const FULL_RANGE = { minPct: 0, maxPct: 100 }

/** Openings that every one of the devices may itself take, %; undefined when no opening suits all. */
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
