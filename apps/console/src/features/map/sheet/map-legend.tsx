import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { HeatRamp } from '../../../shared/section/heat-ramp.tsx'
import type { HeatScale } from '../../../shared/section/heat-scale.ts'
import { type ColourBy, healthFills, healths, toMetric, toShareFill } from '../view/colour-by.ts'
import styles from './legend.module.css'
import { useColouringName } from './map-toolbar.tsx'

interface MapLegendProps {
  readonly by: ColourBy
  /** Undefined without values, or for a colouring without a scale. */
  readonly scale: HeatScale | undefined
}

/** The legend of the colours, with units. */
export function MapLegend({ by, scale }: MapLegendProps) {
  const { t } = useTranslation('map')
  const format = useFormat()
  const toName = useColouringName()
  const metric = toMetric(by)
  return (
    <section className={styles.legend} aria-label={t('legend.label')} data-testid="map-legend">
      <strong>{toName(by)}</strong>
      {metric ? (
        scale && (
          <HeatRamp
            low={format.metric(metric, scale.low)}
            high={format.metric(metric, scale.high)}
            fill={(share) => toShareFill(by, share)}
          />
        )
      ) : (
        <ul className={styles.keys}>
          {healths.map((health) => (
            <li key={health}>
              <i className={styles.dot} style={{ background: healthFills[health] }} />
              {t(`health.${health}`)}
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.keys} data-extra>
        <li>
          <i className={styles.ring} />
          {t('legend.station')}
        </li>
        {metric && (
          <li>
            <i className={styles.dot} />
            {t('legend.noValue')}
          </li>
        )}
        {metric && (
          <li>
            <i className={styles.dot} data-alarm />
            {t('legend.edge')}
          </li>
        )}
      </ul>
    </section>
  )
}
