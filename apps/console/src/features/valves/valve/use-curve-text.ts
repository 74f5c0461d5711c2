import type { Device } from '@isotherm/contract/devices'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'

/** A Kvs below this is shown with two decimals, m³/h. */
const SMALL_KVS = 1

/** The curve of a valve in words: its shape and where that comes from, then what is known of its size. */
export function useCurveText(): (device: Pick<Device, 'characteristic' | 'curve'>) => string {
  const { t } = useTranslation('valves')
  const format = useFormat()
  return ({ characteristic, curve }) => {
    if (!curve) return format.number(undefined, 0)
    const { source, kind, kvsM3H } = curve
    const parts: string[] = [t(`curve.${source}`, { kind: t(`curve.kind.${kind}`) })]
    if (kvsM3H !== undefined) {
      const number = format.number(kvsM3H, kvsM3H < SMALL_KVS ? 2 : 1)
      parts.push(t('curve.kvs', { kvs: withUnit(number, 'm³/h') }))
    }
    if (characteristic?.kind === 'equal-percentage') {
      parts.push(t('curve.rangeability', { ratio: format.number(characteristic.rangeability, 0) }))
    }
    if (characteristic?.kind === 'measured') {
      parts.push(t('curve.points', { count: characteristic.points.length }))
    }
    return parts.join(' · ')
  }
}
