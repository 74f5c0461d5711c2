import type { Device } from '@isotherm/contract/devices'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../format/numbers.ts'
import { useFormat } from '../format/use-format.ts'

/** A Kvs below this is shown with two decimals, m³/h. */
const SMALL_KVS = 1

/** The curve of a valve in words: its shape and where that comes from, then what is known of its size. */
export function useCurveText(): (device: Pick<Device, 'characteristic' | 'curve'>) => string {
  const { t } = useTranslation('common')
  const format = useFormat()
  return ({ characteristic, curve }) => {
    if (!curve) return format.number(undefined, 0)
    const { source, kind, kvsM3H } = curve
    const parts: string[] = [t(`device.curve.${source}`, { kind: t(`device.curve.kind.${kind}`) })]
    if (kvsM3H !== undefined) {
      const number = format.number(kvsM3H, kvsM3H < SMALL_KVS ? 2 : 1)
      parts.push(t('device.curve.kvs', { kvs: withUnit(number, 'm³/h') }))
    }
    if (characteristic?.kind === 'equal-percentage') {
      parts.push(t('device.curve.rangeability', { ratio: format.number(characteristic.rangeability, 0) }))
    }
    if (characteristic?.kind === 'measured') {
      parts.push(t('device.curve.points', { count: characteristic.points.length }))
    }
    return parts.join(' · ')
  }
}
