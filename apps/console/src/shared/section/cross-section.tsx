import { type ReactNode, useMemo } from 'react'
import { useMeasuredWidth } from '../screen/use-measured-width.ts'
import { BuildingColumns } from './building-columns.tsx'
import { BuildingFront, type BuildingLook } from './building-front.tsx'
import styles from './cross-section.module.css'
import { HeatRamp, type HeatRampProps } from './heat-ramp.tsx'
import { type Placed, toSections } from './section-layout.ts'

interface CrossSectionProps<Row> extends BuildingLook<Row> {
  readonly rows: readonly Row[]
  /** Must be a stable function: a new one rebuilds all buildings. */
  readonly toPlaced: (row: Row) => Placed
  /** Accessible description. */
  readonly label: string
  /** Absent while nothing is measured. */
  readonly scale: HeatRampProps | undefined
  /** Content before the scale. */
  readonly tools?: ReactNode
  readonly hint: string
}

/** Cross-sections of buildings by floor and unit, coloured by a scale. Renders only the visible ones. */
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
