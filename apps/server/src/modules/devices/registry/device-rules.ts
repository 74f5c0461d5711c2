import type { DeviceKind } from '@isotherm/contract/devices'
import { AppError } from '../../../platform/app-error.ts'

/** The fields of a device that depend on its kind. Null and undefined mean absent. */
export interface KindFacts {
  readonly kind: DeviceKind
  readonly meterNo?: string | null | undefined
  readonly limits?: object | null | undefined
  readonly characteristic?: object | null | undefined
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Throws device.wrong-kind: only a heat meter has a meter number, only a valve has opening limits and a characteristic. */
export function checkKind({ kind, meterNo, limits, characteristic }: KindFacts): void {
  if (isGiven(meterNo) && kind !== 'heat-meter') {
    throw new AppError('device.wrong-kind', { kind, field: 'meterNo' })
  }
  if (kind === 'valve') return
  if (isGiven(limits)) throw new AppError('device.wrong-kind', { kind, field: 'limits' })
  if (isGiven(characteristic)) throw new AppError('device.wrong-kind', { kind, field: 'characteristic' })
}

/** The facts that decide whether a device may report through a concentrator. */
export interface ConcentratorFacts {
  readonly kind: DeviceKind
  readonly companyId: number
  readonly isRetired: boolean
}

/** Throws device.bad-concentrator. A concentrator itself has its own link. */
export function checkConcentrator(
  device: { readonly kind: DeviceKind; readonly companyId: number },
  concentrator: ConcentratorFacts,
): void {
  const isFit =
    device.kind !== 'concentrator' &&
    concentrator.kind === 'concentrator' &&
    concentrator.companyId === device.companyId &&
    !concentrator.isRetired
  if (!isFit) throw new AppError('device.bad-concentrator')
}

/** Throws device.bad-model for a model of another kind of device. */
export function checkModel(
  kind: DeviceKind,
  model: { readonly kind: DeviceKind; readonly name: string },
): void {
  if (model.kind !== kind) throw new AppError('device.bad-model', { model: model.name, kind })
}
