import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../format/address.ts'
import styles from './building-front.module.css'
import type { BuildingSection, Storey } from './section-layout.ts'

export interface BuildingLook<Row> {
  /** Mean of the shown values of a building, as text. */
  readonly toMean: (rows: readonly Row[]) => string
  /** Control before the building's name, which selects the whole building. */
  readonly toChoice?: (rows: readonly Row[], name: string) => ReactNode
  /** Renders one row in its place. */
  readonly children: (row: Row) => ReactNode
}

interface BuildingFrontProps<Row> extends BuildingLook<Row> {
  readonly section: BuildingSection<Row>
}

/** One building: name, mean of the shown values, and its rows by floor and unit. */
export function BuildingFront<Row>({ section, toMean, toChoice, children }: BuildingFrontProps<Row>) {
  const { t } = useTranslation()
  const { key, rows, units, storeys } = section
  const name = key.split(',').slice(-2).join(' / ')
  return (
    <section className={styles.building} aria-label={name}>
      <header>
        {toChoice?.(rows, name)}
        <strong title={toWholeAddress(key)}>{name}</strong>
        <span className={styles.mean}>{t('section.mean', { value: toMean(rows), count: rows.length })}</span>
      </header>
      <div
        className={styles.grid}
        style={{ gridTemplateColumns: `max-content repeat(${units.length}, minmax(auto, 160px))` }}
      >
        <span />
        {units.map((unit) => (
          <span key={unit} className={styles.unit}>
            {unit || t('section.whole')}
          </span>
        ))}
        {storeys.map((storey) => (
          <Fragment key={storey.floor}>
            <FloorName floor={storey.floor} />
            {storey.cells.map((cell, index) => (
              <span key={units[index]} className={styles.storey}>
                {cell.map(children)}
              </span>
            ))}
          </Fragment>
        ))}
      </div>
    </section>
  )
}

function FloorName({ floor }: Pick<Storey<unknown>, 'floor'>) {
  const { t } = useTranslation()
  return (
    <span className={styles.floor}>
      {typeof floor === 'number' ? t('section.floor', { floor }) : t(`section.${floor}`)}
    </span>
  )
}
