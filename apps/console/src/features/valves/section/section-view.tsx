import { Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toSections } from '../../../shared/cross-section.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toRamp } from '../../../shared/heat-scale.ts'
import { BuildingLanes } from '../../../shared/ui/building-lanes.tsx'
import { useMeasuredWidth } from '../../../shared/ui/use-measured-width.ts'
import text from '../text.module.css'
import type { ValveRow } from '../valve-row.ts'
import { BuildingBlock, type SectionLook } from './building-block.tsx'
import { type SectionMetric, sectionMetrics, toFill, toRowScale } from './heat-scale.ts'
import styles from './section.module.css'

interface SectionViewProps extends Omit<SectionLook, 'scale'> {
  readonly rows: readonly ValveRow[]
  readonly onMetric: (metric: SectionMetric) => void
}

const ROOM = { floorPx: 100, cellPx: 68, storeyPx: 30 }
const noScale = { low: 0, high: 0 }

/** Buildings in cross-section, floor by floor and unit by unit, coloured by a metric; only those in sight exist. */
export function SectionView({ rows, onMetric, ...look }: SectionViewProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { metric } = look
  const sections = useMemo(() => toSections(rows, ({ device }) => device), [rows])
  const scale = useMemo(() => toRowScale(rows, metric), [rows, metric])
  const [measure, widthPx] = useMeasuredWidth()
  return (
    <div className={styles.section}>
      <div className={styles.legend}>
        <Select
          size="small"
          className={styles.metric ?? ''}
          aria-label={t('section.colour')}
          data-testid="section-metric"
          value={metric}
          options={sectionMetrics.map((each) => ({ value: each, label: format.metricName(each) }))}
          onChange={onMetric}
        />
        {scale && (
          <>
            <span className="num">{format.metric(metric, scale.low)}</span>
            <i className={styles.ramp} style={{ background: toRamp((share) => toFill(share, metric)) }} />
            <span className="num">{format.metric(metric, scale.high)}</span>
          </>
        )}
        <span className={text.hint}>{t('section.hint')}</span>
      </div>
      <div className={styles.scroller} ref={measure} data-testid="section">
        <BuildingLanes sections={sections} widthPx={widthPx} room={ROOM}>
          {(section) => <BuildingBlock section={section} look={{ ...look, scale: scale ?? noScale }} />}
        </BuildingLanes>
      </div>
    </div>
  )
}
