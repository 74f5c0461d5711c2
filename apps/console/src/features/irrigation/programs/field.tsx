import type { ReactNode } from 'react'
import styles from '../irrigation.module.css'

/** A labelled entry of a form. */
export function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className={styles.field}>
      <small>{label}</small>
      {children}
    </label>
  )
}
