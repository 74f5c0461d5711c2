import { Checkbox, Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toTrust } from '../../../shared/devices/device-trust.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CrossSection } from '../../../shared/section/cross-section.tsx'
import { computeSpread } from '../../../shared/statistics.ts'
import { canControl, findMetric, type ValveRow } from '../rows/valve-row.ts'
import { type SectionMetric, sectionMetrics, toFill, toRowScale } from './heat-scale.ts'
import styles from './section.module.css'
import { ValveCell } from './valve-cell.tsx'

interface SectionViewProps {
  readonly rows: readonly ValveRow[]
  readonly metric: SectionMetric
  readonly onMetric: (metric: SectionMetric) => void
  readonly selected: ReadonlySet<number>
  readonly onSelect: (ids: readonly number[], selected: boolean) => void
  readonly onDetails: (deviceId: number) => void
  /** Unix ms. */
  readonly now: number
}

const noScale = { low: 0, high: 0 }
const toPlaced = ({ device }: ValveRow) => device

/** The valves in a cross-section of the network, coloured by a metric. Buildings and valves can be selected. */
export function SectionView({
  rows,
  metric,
  onMetric,
  selected,
  onSelect,
  onDetails,
  now,
}: SectionViewProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const scale = useMemo(() => toRowScale(rows, metric), [rows, metric])
  const { low, high } = scale ?? noScale
  const toMean = (inside: readonly ValveRow[]) => {
    const live = inside.filter(({ device, state }) => toTrust(device, state, now) === 'live')
    const spread = computeSpread(live.map(({ state }) => findMetric(state, metric) ?? Number.NaN))
    return format.metric(metric, spread?.mean)
  }
  return (
    <CrossSection
      rows={rows}
      toPlaced={toPlaced}
      label={t('view.section')}
      scale={
        scale && {
          low: format.metric(metric, low),
          high: format.metric(metric, high),
          fill: (share) => toFill(share, metric),
        }
      }
      tools={
        <Select
          size="small"
          className={styles.metric ?? ''}
          aria-label={t('section.colour')}
          data-testid="section-metric"
          value={metric}
          options={sectionMetrics.map((each) => ({ value: each, label: format.metricName(each) }))}
          onChange={onMetric}
        />
      }
      hint={t('section.hint')}
      toMean={toMean}
      toChoice={(inside, name) => (
        <BuildingChoice rows={inside} name={name} selected={selected} onSelect={onSelect} />
      )}
    >
      {({ device, state, hold }) => (
        <ValveCell
          key={device.id}
          device={device}
          state={state}
          trust={toTrust(device, state, now)}
          isHeld={hold !== undefined}
          isSelected={selected.has(device.id)}
          metric={metric}
          low={low}
          high={high}
          onSelect={onSelect}
          onDetails={onDetails}
        />
      )}
    </CrossSection>
  )
}

interface BuildingChoiceProps extends Pick<SectionViewProps, 'rows' | 'selected' | 'onSelect'> {
  readonly name: string
}

/** Selects all valves of a building that the user may control. */
function BuildingChoice({ rows, name, selected, onSelect }: BuildingChoiceProps) {
  const { t } = useTranslation('valves')
  const ids = rows.flatMap(({ device }) => (canControl(device) ? [device.id] : []))
  const chosen = ids.filter((id) => selected.has(id)).length
  if (ids.length === 0) return null
  return (
    <Checkbox
      checked={chosen === ids.length}
      indeterminate={chosen > 0 && chosen < ids.length}
      aria-label={t('table.selectRow', { name })}
      onChange={(event) => onSelect(ids, event.target.checked)}
    />
  )
}
