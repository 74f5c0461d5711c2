import type { ReactNode } from 'react'
import styles from './readings.module.css'

/** A control with its label above it. */
export function MappingField({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.field}>
      <span>{label}</span>
      {children}
    </div>
  )
}
