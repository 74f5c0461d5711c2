import { kvsOfPlate } from '@isotherm/balancing/records/assumed-valve'
import { curveOfPlate } from '@isotherm/balancing/records/valve-plate'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { ValveCharacteristic, ValveCurve } from '@isotherm/contract/valve-characteristic'

/** Kvs of a characteristic, m³/h at 1 bar: a measured curve ends with it. */
const kvsOf = (characteristic: ValveCharacteristic): number | undefined =>
  characteristic.kind === 'measured' ? characteristic.points.at(-1)?.kvM3H : characteristic.kvsM3H

const toCurve = (
  source: ValveCurve['source'],
  kind: ValveCurve['kind'],
  kvsM3H: number | undefined,
): ValveCurve => ({ source, kind, ...(kvsM3H === undefined ? {} : { kvsM3H }) })

/** The curve with which balancing starts for a device (balancing/loop/records.ts); undefined if it is no valve. */
export function findValveCurve(device: {
  readonly kind: DeviceKind
  readonly model: string
  readonly characteristic: ValveCharacteristic | null
}): ValveCurve | undefined {
  const { kind, model, characteristic } = device
  if (kind !== 'valve') return undefined
  if (characteristic) return toCurve('stated', characteristic.kind, kvsOf(characteristic))
  const shape = curveOfPlate(model)
  return toCurve(shape ? 'plate' : 'assumed', shape ?? 'equal-percentage', kvsOfPlate(model))
}
