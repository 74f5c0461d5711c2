import type { Device } from '@isotherm/contract/devices'
import { isMetricName } from '@isotherm/contract/metrics'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Age } from '../../../shared/format/age.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { QualityBadge } from '../../../shared/ui/badge.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { realQuery } from '../edit/device-head.tsx'
import styles from './debug.module.css'

/** Poll period, ms: a person at the device waits for its next report. */
const POLL_MS = 3_000

/** Newest values of a device with their age and quality, updated while the page is open. */
export function LiveReadings({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const query = useQuery({ ...realQuery(device.id), refetchInterval: POLL_MS })
  return (
    <Answer query={query}>
      {(real) => {
        const { state } = real ?? {}
        if (!state) return <EmptyState title={t('debug.noValues')} />
        const facts = Object.entries(state.metrics).flatMap(([name, value]) =>
          isMetricName(name) ? [[format.metricName(name), format.metric(name, value)] as const] : [],
        )
        return (
          <>
            <p className={styles.line}>
              <QualityBadge quality={state.quality} />
              <Age ts={state.ts} />
              <span className={styles.meta}>{format.instant(state.ts)}</span>
            </p>
            <FactList facts={facts} className={styles.values} isTiled />
          </>
        )
      }}
    </Answer>
  )
}
