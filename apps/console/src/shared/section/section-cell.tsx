import type { ComponentPropsWithoutRef } from 'react'
import styles from './section-cell.module.css'

interface SectionCellProps extends Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'className' | 'style'> {
  /** Hatched: excluded value; outlined: suspect value. */
  readonly look: 'plain' | 'hatched' | 'outlined'
  /** Colour on the scale; absent without a value. */
  readonly fill: string | undefined
}

/** One place in a cross-section. */
export const SectionCell = ({ look, fill, ...button }: SectionCellProps) => (
  <button
    {...button}
    type="button"
    className={styles.cell}
    data-look={look}
    style={fill === undefined ? undefined : { background: fill }}
  />
)
