import type { Device, DeviceState } from '@isotherm/contract/devices'
import { useTranslation } from 'react-i18next'
import type { Trust } from '../../../shared/devices/device-trust.ts'
import { useCurveText } from '../../../shared/devices/use-curve-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { QualityBadge } from '../../../shared/ui/badge.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { qualityFlags } from '../../../shared/ui/quality-flags.ts'
import text from '../lists/text.module.css'
import { toShownMetrics } from '../rows/valve-metrics.ts'
import { findMetric } from '../rows/valve-row.ts'
import styles from './valve.module.css'

interface ValveFactsProps {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly trust: Trust
}

/** The newest values of a valve, their quality flags, and its registry data. */
export function ValveFacts({ device, state, trust }: ValveFactsProps) {
  const { t } = useTranslation(['valves', 'common'])
  const format = useFormat()
  const toCurveText = useCurveText()
  const { limits } = device
  const flags = qualityFlags(state?.quality ?? 0)
  const values = toShownMetrics(state?.metrics ?? {}).map(
    (metric) => [format.metricName(metric), format.metric(metric, findMetric(state, metric))] as const,
  )
  const facts = [
    [t('valve.serial'), device.imei],
    [t('valve.model'), device.model],
    [t('valve.concentrator'), device.concentrator ?? t('valve.ownLink')],
    [t('valve.limits'), limits ? t('set.within', limits) : t('valve.noLimits')],
    [t('valve.curve'), toCurveText(device)],
  ] as const
  return (
    <>
      <FactList facts={values} className={styles.values} trust={trust} isTiled />
      {state && flags.length > 0 && (
        <div className={styles.line}>
          <QualityBadge quality={state.quality} />
          {flags.length > 1 && (
            <span className={text.hint}>
              {flags.map((flag) => t(`quality.${flag}`, { ns: 'common' })).join(' · ')}
            </span>
          )}
        </div>
      )}
      <FactList facts={facts} className={styles.facts} />
    </>
  )
}
