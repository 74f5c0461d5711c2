import { type ReactNode, useMemo } from 'react'
import { useMeasuredWidth } from '../screen/use-measured-width.ts'
import { BuildingColumns } from './building-columns.tsx'
import { BuildingFront, type BuildingLook } from './building-front.tsx'
import styles from './cross-section.module.css'
import { HeatRamp, type HeatRampProps } from './heat-ramp.tsx'
import { type Placed, toSections } from './section-layout.ts'

interface CrossSectionProps<Row> extends BuildingLook<Row> {
  readonly rows: readonly Row[]
  /** The same function each time: buildings are put together anew by another. */
  readonly toPlaced: (row: Row) => Placed
  /** What it shows, for those who cannot see it. */
  readonly label: string
  /** Absent while nothing is measured. */
  readonly scale: HeatRampProps | undefined
  /** Stands before the scale. */
  readonly tools?: ReactNode
  readonly hint: string
}

/** Buildings in cross-section, floor by floor and unit by unit, coloured by a scale; only those in sight exist. */
export function CrossSection<Row>(props: CrossSectionProps<Row>) {
  const { rows, toPlaced, label, scale, tools, hint, ...look } = props
  const sections = useMemo(() => toSections(rows, toPlaced), [rows, toPlaced])
  const [measure, widthPx] = useMeasuredWidth()
  return (
    <div className={styles.section}>
      <div className={styles.legend}>
        {tools}
        {scale && <HeatRamp {...scale} />}
        <span className={styles.hint}>{hint}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what it scrolls */}
      <section className={styles.scroller} ref={measure} aria-label={label} tabIndex={0}>
        <BuildingColumns sections={sections} widthPx={widthPx}>
          {(section) => <BuildingFront section={section} {...look} />}
        </BuildingColumns>
      </section>
    </div>
  )
}
