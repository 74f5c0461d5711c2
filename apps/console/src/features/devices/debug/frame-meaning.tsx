import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { readMeterFrame } from './cjt188.ts'
import styles from './debug.module.css'

/** Meaning of a frame in words; nothing for a format that is not known. */
export function FrameMeaning({ hex }: { readonly hex: string }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const frame = readMeterFrame(hex)
  if (!frame) return null
  const { values } = frame
  const kind = frame.isRefused ? 'refusal' : frame.isReply ? 'reply' : 'request'
  const parts = [
    `CJ/T 188 ${t(`debug.frame.${kind}`)}`,
    t(`debug.frame.${frame.function}`),
    t('debug.frame.address', { address: frame.address }),
    ...(frame.isSumRight ? [] : [t('debug.frame.wrongSum')]),
    ...(values
      ? [
          `${format.metricName('heat.energy')} ${format.metric('heat.energy', values.energyKwh)}`,
          `${format.metricName('heat.power')} ${format.metric('heat.power', values.powerKw)}`,
          `${format.metricName('heat.flow')} ${format.metric('heat.flow', values.flowM3h)}`,
          `${format.metricName('heat.volume')} ${format.metric('heat.volume', values.volumeM3)}`,
          `${format.metricName('temp.supply')} ${format.metric('temp.supply', values.supplyC)}`,
          `${format.metricName('temp.return')} ${format.metric('temp.return', values.returnC)}`,
          withUnit(format.number(values.hoursH, 0), 'h'),
        ]
      : []),
  ]
  return (
    <span className={styles.meta} data-testid="frame-meaning">
      {parts.join(' · ')}
    </span>
  )
}
