import type { Device, OpeningLimits } from '@isotherm/contract/devices'
import type { OrderRefusal } from '@isotherm/contract/order-preview'
import { AppError } from '../../../platform/app-error.ts'

const fullRange: OpeningLimits = { minPct: 0, maxPct: 100 }

/** A requested opening of a device. */
export interface RequestedOpening {
  readonly device: Device
  readonly openingPct: number
}

/** Maximum number of devices that an error lists by name. */
const MAX_NAMED = 50

/** Parameters of an error about several devices: their number and names. */
export const toNamed = (texts: readonly string[]): { readonly count: number; readonly devices: string } => ({
  count: texts.length,
  devices: texts.length > MAX_NAMED ? `${texts.slice(0, MAX_NAMED).join(', ')}, …` : texts.join(', '),
})

/** Reason why a device cannot accept an opening; undefined if it can. */
export function findOpeningRefusal(
  { device, openingPct }: RequestedOpening,
  switchedOff: ReadonlySet<number>,
): OrderRefusal | undefined {
  const deviceId = device.id
  if (device.kind !== 'valve') return { deviceId, reason: 'not-a-valve' }
  if (device.use === 'retired') return { deviceId, reason: 'retired' }
  if (switchedOff.has(deviceId)) return { deviceId, reason: 'switched-off' }
  const limits = device.limits ?? fullRange
  const isInside = openingPct >= limits.minPct && openingPct <= limits.maxPct
  return isInside ? undefined : { deviceId, reason: 'outside-limits', ...limits }
}

/** Checks all openings. Throws device.not-controllable or command.outside-limits with the names of all affected devices. */
export function checkOpenings(
  requested: readonly RequestedOpening[],
  switchedOff: ReadonlySet<number>,
): void {
  const refused = requested.flatMap((one) => {
    const refusal = findOpeningRefusal(one, switchedOff)
    return refusal ? [{ name: one.device.name, ...refusal }] : []
  })
  const uncontrollable = refused.filter(({ reason }) => reason !== 'outside-limits')
  if (uncontrollable.length > 0) {
    const { devices, count } = toNamed(uncontrollable.map(({ name }) => name))
    throw new AppError('device.not-controllable', { device: devices, count })
  }
  if (refused.length === 0) return
  const outside = refused.map(({ name, minPct, maxPct }) => `${name} (${minPct}–${maxPct} %)`)
  throw new AppError('command.outside-limits', toNamed(outside))
}
