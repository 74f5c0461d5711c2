import type { ComponentPropsWithoutRef } from 'react'
import styles from './section-cell.module.css'

interface SectionCellProps extends Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'className' | 'style'> {
  /** Hatched: what it shows does not count; outlined: it is doubtful. */
  readonly look: 'plain' | 'hatched' | 'outlined'
  /** Its colour on the scale; absent where it has none. */
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
