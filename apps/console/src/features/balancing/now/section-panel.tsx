import { useVirtualizer } from '@tanstack/react-virtual'
import { Select } from 'antd'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type BuildingSection, toSections, toWidth } from '../../../shared/cross-section.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toRamp } from '../../../shared/heat-scale.ts'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { useMeasuredWidth } from '../../../shared/ui/use-measured-width.ts'
import { Building, type SectionLook } from './building.tsx'
import {
  type CellMetric,
  cellDecimals,
  cellMetrics,
  findCellValue,
  toCellFill,
  toCellScale,
} from './cell-metric.ts'
import styles from './section.module.css'
import { ValveFacts } from './valve-facts.tsx'
import type { BalanceValve } from './valve-query.ts'

interface SectionPanelProps {
  readonly valves: readonly BalanceValve[]
  readonly metric: CellMetric
  readonly onMetric: (metric: CellMetric) => void
  readonly chosen: number | undefined
  readonly onChoose: (deviceId: number | undefined) => void
}

/** Room for the name of a floor, and for a valve's cell with its gap, px. */
const FLOOR_PX = 60
const CELL_PX = 50
const HEAD_PX = 64
const STOREY_PX = 28

/** The buildings of a loop in cross-section, coloured by how far each valve is off, or by what it has. */
export function SectionPanel({ valves, metric, onMetric, chosen, onChoose }: SectionPanelProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const sections = useMemo(() => toSections(valves, (valve) => valve), [valves])
  const scale = useMemo(() => {
    const taking = valves.filter(({ excluded }) => excluded === undefined)
    return toCellScale(
      taking.flatMap((valve) => findCellValue(valve, metric) ?? []),
      metric,
    )
  }, [valves, metric])
  const shown = valves.find(({ deviceId }) => deviceId === chosen)
  const [measure, widthPx] = useMeasuredWidth()
  const widest = Math.max(1, ...sections.map(toWidth))
  const lanes = widthPx === 0 ? 0 : Math.max(1, Math.floor(widthPx / (FLOOR_PX + widest * CELL_PX)))
  const decimals = cellDecimals[metric]
  return (
    <Panel
      title={t('section.title')}
      extra={
        <Select
          size="small"
          className={styles.metric ?? ''}
          aria-label={t('section.by')}
          data-testid="section-metric"
          value={metric}
          options={cellMetrics.map((each) => ({ value: each, label: t(`section.metric.${each}`) }))}
          onChange={onMetric}
        />
      }
    >
      {valves.length === 0 ? (
        <EmptyState title={t('section.none')} />
      ) : (
        <div className={styles.section}>
          <div className={styles.legend}>
            {scale && (
              <>
                <span className="num">{format.number(scale.low, decimals)}</span>
                <i
                  className={styles.ramp}
                  style={{ background: toRamp((share) => toCellFill(share, metric)) }}
                />
                <span className="num">{format.number(scale.high, decimals)}</span>
              </>
            )}
            <span className={styles.hint}>{t('section.hint')}</span>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what it scrolls */}
          <section className={styles.scroller} ref={measure} aria-label={t('section.title')} tabIndex={0}>
            {lanes > 0 && (
              <Buildings
                key={lanes}
                lanes={lanes}
                sections={sections}
                look={{ metric, scale, chosen, onChoose }}
              />
            )}
          </section>
          {shown && <ValveFacts valve={shown} onClose={() => onChoose(undefined)} />}
        </div>
      )}
    </Panel>
  )
}

interface BuildingsProps {
  readonly sections: readonly BuildingSection<BalanceValve>[]
  readonly lanes: number
  readonly look: SectionLook
}

/** Only the buildings in sight exist. */
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
    <div ref={box} className={styles.buildings} style={{ height: virtual.getTotalSize() }}>
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
            <Building section={section} look={look} />
          </div>
        ) : null
      })}
    </div>
  )
}
