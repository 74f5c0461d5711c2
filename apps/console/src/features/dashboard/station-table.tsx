import type { MetricName } from '@isotherm/contract/metrics'
import type { NetworkFigures } from '@isotherm/contract/network/network-figures'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { AgeBadge } from '../../shared/ui/badge.tsx'
import styles from './dashboard.module.css'

/** Metrics of stations in display order. A metric without values gets no column. */
const stationMetrics = [
  'temp.supply',
  'temp.return',
  'heat.flow',
  'pressure.supply',
  'pressure.return',
  'pump.speed',
  'pump.power',
  'temp.outdoor',
] as const satisfies readonly MetricName[]

interface StationTableProps {
  readonly stations: NetworkFigures['stations']
  /** Current time of the server, Unix ms. */
  readonly now: number
}

/** Table of stations with their newest values, and the number of stations not listed. */
export function StationTable({ stations: { datalist: stations, total }, now }: StationTableProps) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const more = total - stations.length
  const shown = stationMetrics.filter((metric) =>
    stations.some(({ state }) => state?.metrics[metric] !== undefined),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone the keyboard must reach what it scrolls
    <section className={styles.scroll} aria-label={t('tile.stations')} tabIndex={0}>
      <table className={styles.stations}>
        <thead>
          <tr>
            <th scope="col">{t('station.name')}</th>
            {shown.map((metric) => (
              <th scope="col" key={metric}>
                {format.metricName(metric)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {stations.map(({ device, state, online }) => (
            <tr key={device.id} data-testid={`station-${device.id}`} data-stale={!online || undefined}>
              <th scope="row" title={device.name}>
                {device.nestaddr.split(',').at(-1)}
              </th>
              {shown.map((metric) => (
                <td key={metric} data-metric={metric}>
                  {format.metric(metric, state?.metrics[metric])}
                </td>
              ))}
              <td>
                <AgeBadge ts={state?.ts} stale={!online} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className={styles.hint} data-testid="home-more-stations">
          {t('station.more', { count: more })}
        </p>
      )}
    </section>
  )
}
