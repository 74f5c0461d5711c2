import type { DayCounts, HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useConsoleSettings } from '../../../shared/installation/console-settings.ts'
import styles from './saving.module.css'

const reasons = [
  'withoutHeat',
  'withoutWeather',
  'implausible',
  'offSeason',
] as const satisfies (keyof DayCounts)[]

/** Which periods are compared and why, and how many of their days count. */
export function SavingDays({ saving }: { readonly saving: HeatSavingAnswer }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { timeZone } = useConsoleSettings()
  const { periodsBy, changedAt, baseline, after } = saving
  const write = ({ from, to, counts }: typeof baseline): string => {
    const left = reasons.flatMap((reason) =>
      counts[reason] > 0 ? [t(`saving.left.${reason}`, { days: counts[reason] })] : [],
    )
    const used = t('saving.used', { from, to, days: counts.used })
    return left.length === 0 ? used : `${used} ${t('saving.leftOut', { left: left.join(t('saving.comma')) })}`
  }
  return (
    <div className={styles.days} data-testid="saving-days">
      <p>{t(`saving.by.${periodsBy}`, { instant: format.day(changedAt, timeZone) })}</p>
      <p>
        {t('saving.before')}: {write(baseline)}
      </p>
      <p>
        {t('saving.after')}: {write(after)}
      </p>
    </div>
  )
}
