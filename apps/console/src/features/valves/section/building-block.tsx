import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import type { BuildingSection, Storey } from '../../../shared/cross-section.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { HeatScale } from '../../../shared/heat-scale.ts'
import { computeSpread } from '../../../shared/statistics.ts'
import text from '../text.module.css'
import { canControl, findMetric, toTrust, type ValveRow } from '../valve-row.ts'
import type { SectionMetric } from './heat-scale.ts'
import styles from './section.module.css'
import { SectionCell } from './section-cell.tsx'

export interface SectionLook {
  readonly metric: SectionMetric
  readonly scale: HeatScale
  readonly selected: ReadonlySet<number>
  readonly onSelect: (ids: readonly number[], selected: boolean) => void
  readonly onLook: (deviceId: number) => void
  /** Unix ms. */
  readonly now: number
}

interface BuildingBlockProps {
  readonly section: BuildingSection<ValveRow>
  readonly look: SectionLook
}

const idsOf = (rows: readonly ValveRow[]): readonly number[] =>
  rows.flatMap(({ device }) => (canControl(device) ? [device.id] : []))

/** One building: its name, the mean of what is shown, and its valves where they are. */
export function BuildingBlock({ section, look }: BuildingBlockProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { key, rows, units, storeys } = section
  const { metric, selected, onSelect, now } = look
  const ids = idsOf(rows)
  const chosen = ids.filter((id) => selected.has(id)).length
  const live = rows.filter(({ device, state }) => toTrust(device, state, now) === 'live')
  const spread = computeSpread(live.map(({ state }) => findMetric(state, metric) ?? Number.NaN))
  const name = key.split(',').slice(-2).join(' / ')
  return (
    <section className={styles.building} aria-label={name}>
      <header>
        {ids.length > 0 && (
          <Checkbox
            checked={chosen === ids.length}
            indeterminate={chosen > 0 && chosen < ids.length}
            aria-label={t('table.selectRow', { name })}
            onChange={(event) => onSelect(ids, event.target.checked)}
          />
        )}
        <strong title={toWholeAddress(key)}>{name}</strong>
        <span className={text.hint}>
          {t('section.mean', { value: format.metric(metric, spread?.mean), count: rows.length })}
        </span>
      </header>
      <div className={styles.grid} style={{ gridTemplateColumns: `44px repeat(${units.length}, auto) 1fr` }}>
        <span />
        {units.map((unit) => (
          <span key={unit} className={styles.unit}>
            {unit || t('section.whole')}
          </span>
        ))}
        <span />
        {storeys.map((storey) => (
          <StoreyLine key={storey.floor} storey={storey} units={units} look={look} />
        ))}
      </div>
    </section>
  )
}

interface StoreyLineProps {
  readonly storey: Storey<ValveRow>
  readonly units: readonly string[]
  readonly look: SectionLook
}

function StoreyLine({ storey, units, look }: StoreyLineProps) {
  const { t } = useTranslation('valves')
  const { floor, cells } = storey
  const label = typeof floor === 'number' ? t('section.floor', { floor }) : t(`section.${floor}`)
  return (
    <>
      <span className={styles.floor}>{label}</span>
      {cells.map((cell, index) => (
        <span key={units[index]} className={styles.storey}>
          {cell.map(({ device, state, hold }) => (
            <SectionCell
              key={device.id}
              device={device}
              state={state}
              trust={toTrust(device, state, look.now)}
              isHeld={hold !== undefined}
              isSelected={look.selected.has(device.id)}
              metric={look.metric}
              low={look.scale.low}
              high={look.scale.high}
              onSelect={look.onSelect}
              onLook={look.onLook}
            />
          ))}
        </span>
      ))}
      <span />
    </>
  )
}
