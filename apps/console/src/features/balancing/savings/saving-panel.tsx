import type { HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { LoadingState } from '../../../shared/ui/states.tsx'
import { PeriodForm } from './period-form.tsx'
import { PriceForm } from './price-form.tsx'
import styles from './saving.module.css'
import { SavingDays } from './saving-days.tsx'
import { SavingFigures } from './saving-figures.tsx'
import { toSavingOption } from './saving-option.ts'
import { type SavingPeriods, savingQuery } from './saving-query.ts'
import { SavingRefused } from './saving-refused.tsx'
import { useSavingStyle } from './use-saving-style.ts'

// The chart library is heavy.
const SavingChart = lazyView(() => import('./saving-chart.tsx'))

/** What a station saved: figures, daily heat over the outdoor temperature, periods and prices. */
export default function SavingPanel({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('balancing')
  const [periods, setPeriods] = useState<SavingPeriods>()
  // Keep the shown figures until those of other periods arrive.
  const saving = useQuery({ ...savingQuery(deviceId, periods), placeholderData: keepPreviousData })
  return (
    <Answer query={saving} loading={t('saving.loading')}>
      {(found) => (
        <div className={styles.panel} data-testid="saving-panel" aria-busy={saving.isPlaceholderData}>
          {found.result.kind === 'known' ? (
            <SavingFigures saving={found} known={found.result} />
          ) : (
            <SavingRefused refusal={found.result} />
          )}
          <Scatter saving={found} />
          <SavingDays saving={found} />
          <PeriodForm
            key={`${found.baseline.from} ${found.baseline.to} ${found.after.from} ${found.after.to}`}
            shown={found}
            isBusy={saving.isFetching}
            onPeriods={setPeriods}
          />
          <PriceForm prices={found.prices} settable={found.settable} />
        </div>
      )}
    </Answer>
  )
}

/** Daily heat over the outdoor temperature, before and after. */
function Scatter({ saving }: { readonly saving: HeatSavingAnswer }) {
  const { t } = useTranslation('balancing')
  const look = useSavingStyle()
  const option = useMemo(() => toSavingOption(saving, look), [saving, look])
  if (saving.baseline.days.length + saving.after.days.length === 0) return null
  return (
    <div>
      <ul className={styles.legend}>
        <li>
          <i style={{ background: look.before }} />
          {look.beforeLabel}
        </li>
        <li>
          <i style={{ background: look.after }} />
          {look.afterLabel}
        </li>
        <li>{t('saving.axes')}</li>
      </ul>
      <Suspense
        fallback={
          <div className={styles.waiting}>
            <LoadingState />
          </div>
        }
      >
        <SavingChart option={option} label={t('saving.chart')} />
      </Suspense>
    </div>
  )
}
