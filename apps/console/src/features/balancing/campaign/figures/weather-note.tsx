import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../../shared/format/numbers.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import styles from '../parts/campaign.module.css'
import { findCorrected } from './figure-rows.ts'

interface WeatherNoteProps {
  readonly campaign: Pick<CampaignDetail, 'indices' | 'station'>
}

/** How the comparison of before and after is corrected for weather, or that it is not; empty until measured. */
export function WeatherNote({ campaign }: WeatherNoteProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { indices, station } = campaign
  if (indices.before.sigmaReturnK === undefined || indices.after?.sigmaReturnK === undefined) return null
  const corrected = findCorrected(campaign)
  const [before, after] = [station.before.outdoorC, station.after?.outdoorC]
  const sayC = (value: number) => withUnit(format.number(value, 1), '°C')
  return (
    <p className={styles.faint} data-testid="campaign-weather">
      {before !== undefined &&
        after !== undefined &&
        `${t('campaign.weather.outdoor', { before: sayC(before), after: sayC(after) })} `}
      {corrected === undefined
        ? t('campaign.weather.uncorrected')
        : t('campaign.weather.corrected', { value: withUnit(format.number(corrected, 2), 'K') })}
    </p>
  )
}
