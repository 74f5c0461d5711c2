import { useTranslation } from 'react-i18next'
import type { BuildingSection, Storey } from '../../../shared/cross-section.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { HeatScale } from '../../../shared/heat-scale.ts'
import { computeSpread } from '../../../shared/statistics.ts'
import { type CellMetric, cellDecimals, findCellValue } from './cell-metric.ts'
import styles from './section.module.css'
import { ValveCell } from './valve-cell.tsx'
import type { BalanceValve } from './valve-query.ts'

export interface SectionLook {
  readonly metric: CellMetric
  readonly scale: HeatScale | undefined
  readonly chosen: number | undefined
  readonly onChoose: (deviceId: number) => void
}

interface BuildingProps {
  readonly section: BuildingSection<BalanceValve>
  readonly look: SectionLook
}

/** One building: its name, the mean of what is shown, and its valves where they are. */
export function Building({ section, look }: BuildingProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { key, rows, units, storeys } = section
  const { metric } = look
  const measured = rows.filter(({ excluded }) => excluded === undefined)
  const mean = computeSpread(measured.map((valve) => findCellValue(valve, metric) ?? Number.NaN))?.mean
  const name = key.split(',').slice(-2).join(' / ')
  return (
    <section className={styles.building} aria-label={name}>
      <header>
        <strong title={toWholeAddress(key)}>{name}</strong>
        <span className={styles.hint}>
          {t('section.mean', { value: format.number(mean, cellDecimals[metric]), count: rows.length })}
        </span>
      </header>
      <div
        className={styles.grid}
        style={{ gridTemplateColumns: `auto repeat(${units.length}, minmax(auto, 1fr))` }}
      >
        <span />
        {units.map((unit) => (
          <span key={unit} className={styles.unit}>
            {unit || t('section.whole')}
          </span>
        ))}
        {storeys.map((storey) => (
          <StoreyLine key={storey.floor} storey={storey} units={units} look={look} />
        ))}
      </div>
    </section>
  )
}

interface StoreyLineProps {
  readonly storey: Storey<BalanceValve>
  readonly units: readonly string[]
  readonly look: SectionLook
}

function StoreyLine({ storey, units, look }: StoreyLineProps) {
  const { t } = useTranslation('balancing')
  const { floor, cells } = storey
  return (
    <>
      <span className={styles.floor}>
        {typeof floor === 'number' ? t('section.floor', { floor }) : t(`section.${floor}`)}
      </span>
      {cells.map((cell, index) => (
        <span key={units[index]} className={styles.storey}>
          {cell.map((valve) => (
            <ValveCell
              key={valve.deviceId}
              valve={valve}
              metric={look.metric}
              scale={look.scale}
              isChosen={look.chosen === valve.deviceId}
              onChoose={look.onChoose}
            />
          ))}
        </span>
      ))}
    </>
  )
}
