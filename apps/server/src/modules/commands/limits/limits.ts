import type { Device, OpeningLimits } from '@isotherm/contract/devices'
import type { OrderRefusal } from '@isotherm/contract/order-preview'
import { AppError } from '../../../platform/app-error.ts'

const fullRange: OpeningLimits = { minPct: 0, maxPct: 100 }

/** An opening that is asked of a device. */
export interface AskedOpening {
  readonly device: Device
  readonly openingPct: number
}

/** So many devices are named in an error; of more their number. */
const MOST_NAMED = 50

/** Parameters of an error about several devices: how many, and which. */
export const toNamed = (texts: readonly string[]): { readonly count: number; readonly devices: string } => ({
  count: texts.length,
  devices: texts.length > MOST_NAMED ? `${texts.slice(0, MOST_NAMED).join(', ')}, …` : texts.join(', '),
})

/** Why a device itself may not be told to take an opening. */
export function judgeOpening(
  { device, openingPct }: AskedOpening,
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

/**
 * Throws device.not-controllable or command.outside-limits when devices may not be told to take their openings,
 * and names all of them.
 */
export function checkOpenings(asked: readonly AskedOpening[], switchedOff: ReadonlySet<number>): void {
  const refused = asked.flatMap((one) => {
    const refusal = judgeOpening(one, switchedOff)
    return refusal ? [{ name: one.device.name, ...refusal }] : []
  })
  const deaf = refused.filter(({ reason }) => reason !== 'outside-limits')
  if (deaf.length > 0) {
    const { devices, count } = toNamed(deaf.map(({ name }) => name))
    throw new AppError('device.not-controllable', { device: devices, count })
  }
  if (refused.length === 0) return
  const outside = refused.map(({ name, minPct, maxPct }) => `${name} (${minPct}–${maxPct} %)`)
  throw new AppError('command.outside-limits', toNamed(outside))
}
