import type { ComponentProps, ReactNode } from 'react'
import styles from './row-controls.module.css'

/*
 * Native controls for rows of long tables. Scrolling creates several rows per frame, and a button of the component library
 * takes as long to create as the rest of a row.
 */

type RowCheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'onChange'> & {
  readonly onChange: (checked: boolean) => void
}

/** Checkbox that selects a row. */
export const RowCheckbox = ({ onChange, ...input }: RowCheckboxProps): ReactNode => (
  <input
    {...input}
    type="checkbox"
    className={styles.check}
    onChange={(event) => onChange(event.target.checked)}
  />
)

type RowButtonProps = Omit<ComponentProps<'button'>, 'type' | 'className'> & {
  /** Shows no frame; for a button with only an icon. */
  readonly isQuiet?: boolean
}

/** Button for an action on a row. */
export const RowButton = ({ isQuiet = false, ...button }: RowButtonProps): ReactNode => (
  <button {...button} type="button" className={`${styles.button} ${isQuiet ? styles.quiet : ''}`} />
)

/** Icon of a curve over time. */
export const CurveIcon = (): ReactNode => (
  <svg viewBox="0 0 14 14" className={styles.icon} aria-hidden>
    <path d="M1 1v12h12M3 9.5 6 6l2.5 2.5L12.5 3" />
  </svg>
)
