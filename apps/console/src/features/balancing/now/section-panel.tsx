import { Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toSections } from '../../../shared/cross-section.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toRamp } from '../../../shared/heat-scale.ts'
import { BuildingLanes } from '../../../shared/ui/building-lanes.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { useMeasuredWidth } from '../../../shared/ui/use-measured-width.ts'
import { Building } from './building.tsx'
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

const ROOM = { floorPx: 60, cellPx: 50, storeyPx: 28 }

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
            <BuildingLanes sections={sections} widthPx={widthPx} room={ROOM}>
              {(section) => <Building section={section} look={{ metric, scale, chosen, onChoose }} />}
            </BuildingLanes>
          </section>
          {shown && <ValveFacts valve={shown} onClose={() => onChoose(undefined)} />}
        </div>
      )}
    </Panel>
  )
}
