import type { Device } from '@isotherm/contract/devices'
import type { InputOf } from '@isotherm/contract/endpoint'
import { insertDev, updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { findCurveFault, type ValveCharacteristic } from '@isotherm/contract/valve-characteristic'

interface WithCurve {
  readonly characteristic?: ValveCharacteristic | null | undefined
}

/** Whether the points of a measured curve are one. The server refuses others too. */
const isCurve = ({ characteristic }: WithCurve): boolean =>
  characteristic?.kind !== 'measured' || findCurveFault(characteristic.points) === undefined

const curveFault = { path: ['characteristic'] }

export const newDeviceInput = insertDev.input.refine(isCurve, curveFault)
export const deviceChangesInput = updateDev.input.refine(isCurve, curveFault)

export type DeviceChanges = InputOf<typeof updateDev>

/** Values of a device that its form edits; null for a value that it does not have. */
export const toFormValues = (device: Device, modelId: number | undefined) => ({
  name: device.name,
  radioImei: device.radioImei ?? null,
  meterNo: device.meterNo ?? null,
  modelId: modelId ?? null,
  concentratorId: device.concentratorId ?? null,
  periodS: device.periodS,
  limits: device.limits ?? null,
  characteristic: device.characteristic ?? null,
  description: device.description,
})

type FormValues = ReturnType<typeof toFormValues>

const isFormValue = (name: string, values: FormValues): name is keyof FormValues =>
  Object.hasOwn(values, name)

const toComparable = (value: unknown): string => JSON.stringify(value ?? null)

/**
 * The call's input without unchanged values, or undefined if nothing changed. Unchanged values are not sent, because the
 * user may not see all of them: a concentrator outside of the grants looks absent, and must not be removed.
 */
export function toChanges(input: DeviceChanges, before: FormValues): DeviceChanges | undefined {
  const changed = Object.entries(input).filter(
    ([name, value]) => isFormValue(name, before) && toComparable(value) !== toComparable(before[name]),
  )
  if (changed.length === 0) return undefined
  return { id: input.id, version: input.version, ...Object.fromEntries(changed) }
}
