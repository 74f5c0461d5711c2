import type { Device, DeviceState } from '@isotherm/contract/devices'
import { canControl, findMetric } from './valve-row.ts'

/** Why a valve of a plan will not be told anything, or why it will. */
export type PlanVerdict = 'change' | 'same' | 'outside-limits' | 'not-controllable'

/** One line of the preview: what a valve has, what it would get, and whether it may. */
export interface PlanItem {
  readonly device: Device
  readonly fromPct: number | undefined
  readonly toPct: number
  readonly verdict: PlanVerdict
}

/** Widest limits a valve without its own has, %. */
const FULL_RANGE = { minPct: 0, maxPct: 100 }

const toLimits = (device: Device): { readonly minPct: number; readonly maxPct: number } =>
  device.limits ?? FULL_RANGE

function judge(device: Device, fromPct: number | undefined, toPct: number): PlanVerdict {
  if (!canControl(device)) return 'not-controllable'
  const { minPct, maxPct } = toLimits(device)
  if (toPct < minPct || toPct > maxPct) return 'outside-limits'
  return fromPct !== undefined && Math.round(fromPct) === Math.round(toPct) ? 'same' : 'change'
}

/** What setting all of `devices` to `toPct` (%) would mean for each, before anything is sent. */
export const planOpenings = (
  devices: readonly Device[],
  states: ReadonlyMap<number, DeviceState>,
  toPct: number,
): readonly PlanItem[] =>
  devices.map((device) => {
    const fromPct = findMetric(states.get(device.id), 'valve.opening')
    return { device, fromPct, toPct, verdict: judge(device, fromPct, toPct) }
  })

/**
 * The items that are sent. A valve already there is sent too: its target may differ from its position, and
 * an absolute target repeated does no harm.
 */
export const toSendable = (plan: readonly PlanItem[]): readonly PlanItem[] =>
  plan.filter((item) => item.verdict === 'change' || item.verdict === 'same')

/** Openings that every one of the devices may take, %; undefined when no opening suits all. */
export function findCommonLimits(
  devices: readonly Device[],
): { readonly minPct: number; readonly maxPct: number } | undefined {
  const limits = devices.map(toLimits)
  const minPct = Math.max(FULL_RANGE.minPct, ...limits.map((limit) => limit.minPct))
  const maxPct = Math.min(FULL_RANGE.maxPct, ...limits.map((limit) => limit.maxPct))
  return minPct <= maxPct ? { minPct, maxPct } : undefined
}
