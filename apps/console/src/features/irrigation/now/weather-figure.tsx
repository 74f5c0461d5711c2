import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Figure } from '../../../shared/ui/page-frame.tsx'
import styles from '../irrigation.module.css'

/** Evapotranspiration and rain of the last days, and how the evapotranspiration was computed. */
export function WeatherFigure({ demand }: Pick<IrrigationSource, 'demand'>) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  if (!demand) return <Figure label={t('weather', { days: 3 })} value={t('noWeather')} />
  const { days, penmanDays, etMm, rainMm } = demand
  const by = penmanDays === 0 ? 'hargreaves' : penmanDays === days ? 'penman' : 'both'
  return (
    <Figure
      label={t('weather', { days })}
      hint={t('weatherWhy')}
      testId="irrigation-weather"
      value={
        <>
          {t('weatherValue', { et: format.number(etMm, 1), rain: format.number(rainMm, 1) })}
          <small className={styles.method}>{t(`weatherBy.${by}`, { penman: penmanDays })}</small>
        </>
      }
    />
  )
}
