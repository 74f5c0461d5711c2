import type { Device } from '@isotherm/contract/devices'
import { getDevice, getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import type { DeviceNumbers, ScannedCode } from './read-code.ts'

/** Most devices among which the one with exactly the scanned number is searched. */
const MAX_HITS = 50

/** Numbers of a device of the same kind as a printed one. A device of a mobile network may have its IMEI as serial. */
const OWN: Readonly<Record<keyof DeviceNumbers, (device: Device) => readonly (string | undefined)[]>> = {
  serial: ({ imei }) => [imei],
  imei: ({ imei, radioImei }) => [imei, radioImei],
  meterNo: ({ meterNo }) => [meterNo],
}
const toAll = ({ imei, radioImei, meterNo }: Device): readonly (string | undefined)[] => [
  imei,
  radioImei,
  meterNo,
]

/** The device with a printed number of its kind; `isOnly`: or of another kind, as makers name their only number in many ways. */
async function findByNumber(
  kind: keyof DeviceNumbers,
  number: string,
  isOnly: boolean,
): Promise<Device | undefined> {
  const { list } = await call(
    getDevs,
    { text: number.slice(0, 60), pageNo: 1, pageSize: MAX_HITS },
    { quiet: true },
  )
  return (
    list.find((device) => OWN[kind](device).includes(number)) ??
    (isOnly ? list.find((device) => toAll(device).includes(number)) : undefined)
  )
}

/** The device of a label. Throws device.not-found if there is none that the user may watch. */
export const getLabelled = (id: number): Promise<Device> => call(getDevice, { id }, { quiet: true })

/**
 * The registered device that a scanned code names, among those that the user may watch; undefined if no device has the numbers of a maker.
 * Throws as getLabelled for a label, and filter.too-wide if no device was found and a number is too short to be searched.
 */
export async function findScanned(code: ScannedCode): Promise<Device | undefined> {
  if (code.kind === 'unknown' || code.kind === 'place') return undefined
  if (code.kind === 'device') return getLabelled(code.id)
  const isOnly = Object.values(code.numbers).length === 1
  let tooWide: ApiError | undefined
  for (const kind of ['serial', 'imei', 'meterNo'] as const) {
    const number = code.numbers[kind]
    if (number === undefined) continue
    try {
      const device = await findByNumber(kind, number, isOnly)
      if (device) return device
    } catch (error) {
      // Another number of the code may still name the device.
      if (!(error instanceof ApiError && error.code === 'filter.too-wide')) throw error
      tooWide = error
    }
  }
  if (tooWide) throw tooWide
  return undefined
}
