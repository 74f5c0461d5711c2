import { useVirtualizer } from '@tanstack/react-virtual'
import { Select } from 'antd'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type BuildingSection, toSections, toWidth } from '../../../shared/cross-section.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toRamp } from '../../../shared/heat-scale.ts'
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

const HEAD_PX = 64
/** Room for the name of a floor, and for a valve's cell with its gap. */
const FLOOR_PX = 100
const CELL_PX = 68
const STOREY_PX = 30
const noScale = { low: 0, high: 0 }

/** Buildings in cross-section, floor by floor and unit by unit, coloured by a metric; only those in sight exist. */
export function SectionView({ rows, onMetric, ...look }: SectionViewProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { metric } = look
  const sections = useMemo(() => toSections(rows, ({ device }) => device), [rows])
  const scale = useMemo(() => toRowScale(rows, metric), [rows, metric])
  const [measure, widthPx] = useMeasuredWidth()
  const lanes = useMemo(() => toLanes(sections, widthPx), [sections, widthPx])
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
        {lanes > 0 && (
          <Buildings
            key={lanes}
            lanes={lanes}
            sections={sections}
            look={{ ...look, scale: scale ?? noScale }}
          />
        )}
      </div>
    </div>
  )
}

/** So many buildings stand side by side; 0 while the room for them is not known. */
function toLanes(sections: readonly BuildingSection<ValveRow>[], widthPx: number): number {
  const widest = Math.max(1, ...sections.map(toWidth))
  return widthPx === 0 ? 0 : Math.max(1, Math.floor(widthPx / (FLOOR_PX + widest * CELL_PX)))
}

interface BuildingsProps {
  readonly sections: readonly BuildingSection<ValveRow>[]
  readonly lanes: number
  readonly look: SectionLook
}

function Buildings({ sections, lanes, look }: BuildingsProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: sections.length,
    getScrollElement: () => box.current?.parentElement ?? null,
    estimateSize: (index) => HEAD_PX + (sections[index]?.storeys.length ?? 1) * STOREY_PX,
    overscan: 2 * lanes,
    lanes,
    getItemKey: (index) => sections[index]?.key ?? index,
  })
  return (
    <div ref={box} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => {
        const section = sections[item.index]
        return section ? (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className={styles.place}
            style={{
              transform: `translateY(${item.start}px)`,
              insetInlineStart: `${(100 * item.lane) / lanes}%`,
              width: `${100 / lanes}%`,
            }}
          >
            <BuildingBlock section={section} look={look} />
          </div>
        ) : null
      })}
    </div>
  )
}
