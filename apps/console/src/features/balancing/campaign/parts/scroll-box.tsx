import type { ReactNode } from 'react'
import styles from './campaign.module.css'

/** Box with horizontal scrolling, also by keyboard. */
export function ScrollBox({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
