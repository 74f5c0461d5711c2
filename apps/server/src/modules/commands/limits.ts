import type { Device, OpeningLimits } from '@isotherm/contract/devices'
import { AppError } from '../../platform/app-error.ts'

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

/**
 * Throws device.not-controllable or command.outside-limits when devices may not be told to take their openings,
 * and names all of them.
 */
export function checkOpenings(asked: readonly AskedOpening[], switchedOff: ReadonlySet<number>): void {
  const deaf = asked.filter(
    ({ device }) => device.kind !== 'valve' || device.use === 'retired' || switchedOff.has(device.id),
  )
  if (deaf.length > 0) {
    const { devices, count } = toNamed(deaf.map(({ device }) => device.name))
    throw new AppError('device.not-controllable', { device: devices, count })
  }
  const outside = asked.flatMap(({ device, openingPct }) => {
    const { minPct, maxPct } = device.limits ?? fullRange
    return openingPct < minPct || openingPct > maxPct ? [`${device.name} (${minPct}–${maxPct} %)`] : []
  })
  if (outside.length > 0) throw new AppError('command.outside-limits', toNamed(outside))
}
