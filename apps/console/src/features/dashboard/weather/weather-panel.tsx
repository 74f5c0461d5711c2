import type { WeatherAnswer } from '@isotherm/contract/network/weather'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { theme } from 'antd'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useChartInk } from '../../../shared/chart/use-chart-ink.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Figure, Panel } from '../../../shared/ui/page-frame.tsx'
import styles from '../dashboard.module.css'
import { weatherQuery } from '../queries.ts'
import chartStyles from './weather.module.css'
import { findExtremes, toSpan, toWeatherOption } from './weather-option.ts'

// The chart library is large.
const WeatherChart = lazyView(() => import('./weather-chart.tsx'))

const NOW_EVERY_S = 60
/** The zone of the reader, as on the chart's axis. */
const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()

interface WeatherPanelProps {
  readonly nodes: readonly NodeKey[]
  /** Whether no other panel is beside it. */
  readonly isWide: boolean
}

/** Outdoor temperature: now, in the last day, and as it is forecast. */
export function WeatherPanel({ nodes, isWide }: WeatherPanelProps) {
  const { t } = useTranslation('dashboard')
  const weather = useQuery(weatherQuery(nodes))
  return (
    <Panel title={t('tile.weather')} className={(isWide ? styles.wide : undefined) ?? ''}>
      <Answer query={weather}>{(known) => <Weather weather={known} />}</Answer>
    </Panel>
  )
}

function Weather({ weather }: { readonly weather: WeatherAnswer }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const { outdoorC, measured, forecast } = weather
  const coming = forecast.state === 'known' ? forecast.values : []
  const extremes = findExtremes(coming)
  return (
    <div data-testid="home-weather">
      <div className={styles.figures}>
        <Figure
          label={t('weather.now')}
          value={format.metric('temp.outdoor', outdoorC ?? undefined)}
          testId="home-outdoor"
        />
        {extremes && (
          <>
            <Figure
              label={t('weather.low', { at: format.moment(extremes.low.at, zone) })}
              value={format.metric('temp.outdoor', extremes.low.outdoorC)}
              testId="home-forecast-low"
            />
            <Figure
              label={t('weather.high', { at: format.moment(extremes.high.at, zone) })}
              value={format.metric('temp.outdoor', extremes.high.outdoorC)}
            />
          </>
        )}
      </div>
      {forecast.state !== 'known' && <p className={styles.hint}>{t(`weather.missing.${forecast.state}`)}</p>}
      <WeatherCurve measured={measured} forecast={coming} />
    </div>
  )
}

function WeatherCurve(values: Parameters<typeof toWeatherOption>[0]) {
  const { measured, forecast } = values
  const { t } = useTranslation('dashboard')
  const now = useNow(NOW_EVERY_S)
  const ink = useChartInk()
  const { token } = theme.useToken()
  const option = useMemo(() => {
    const span = toSpan(measured, forecast)
    return span
      ? toWeatherOption({ measured, forecast }, span, now, {
          ...ink,
          measured: token.colorPrimary,
          forecast: token.colorTextSecondary,
          measuredLabel: t('weather.measured'),
          forecastLabel: t('weather.forecast'),
          nowLabel: t('weather.present'),
        })
      : undefined
  }, [measured, forecast, now, ink, token, t])
  if (!option) return null
  return (
    <Suspense fallback={<div className={chartStyles.chart} />}>
      <WeatherChart option={option} label={t('weather.curve')} />
    </Suspense>
  )
}
