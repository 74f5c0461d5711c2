import { Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CrossSection } from '../../../shared/section/cross-section.tsx'
import { computeSpread } from '../../../shared/statistics.ts'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import {
  type CellMetric,
  cellDecimals,
  cellMetrics,
  findCellValue,
  toCellFill,
  toCellScale,
} from '../cell-metric.ts'
import type { BalanceValve } from '../indices/valve-query.ts'
import styles from './section.module.css'
import { ValveCell } from './valve-cell.tsx'
import { ValveFacts } from './valve-facts.tsx'

interface SectionPanelProps {
  readonly valves: readonly BalanceValve[]
  readonly metric: CellMetric
  readonly onMetric: (metric: CellMetric) => void
  readonly chosen: number | undefined
  readonly onChoose: (deviceId: number | undefined) => void
}

const toPlaced = (valve: BalanceValve) => valve

/** Cross-sections of a loop's buildings, coloured by a metric. */
export function SectionPanel({ valves, metric, onMetric, chosen, onChoose }: SectionPanelProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const scale = useMemo(() => toCellScale(listIncluded(valves, metric), metric), [valves, metric])
  const shown = valves.find(({ deviceId }) => deviceId === chosen)
  const write = (value: number | undefined) => format.number(value, cellDecimals[metric])
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
          <div className={styles.box}>
            <CrossSection
              rows={valves}
              toPlaced={toPlaced}
              label={t('section.title')}
              scale={
                scale && {
                  low: write(scale.low),
                  high: write(scale.high),
                  fill: (share) => toCellFill(share, metric),
                }
              }
              hint={t('section.hint')}
              toMean={(rows) => write(computeSpread(listIncluded(rows, metric))?.mean)}
            >
              {(valve) => (
                <ValveCell
                  key={valve.deviceId}
                  valve={valve}
                  metric={metric}
                  scale={scale}
                  isChosen={chosen === valve.deviceId}
                  onChoose={onChoose}
                />
              )}
            </CrossSection>
          </div>
          {shown && <ValveFacts valve={shown} onClose={() => onChoose(undefined)} />}
        </div>
      )}
    </Panel>
  )
}

/** Values of a metric at the included valves. */
const listIncluded = (valves: readonly BalanceValve[], metric: CellMetric): readonly number[] =>
  valves.flatMap((valve) => (valve.excluded === undefined ? (findCellValue(valve, metric) ?? []) : []))
