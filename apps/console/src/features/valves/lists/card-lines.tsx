import type { ReactNode } from 'react'
import styles from './paged-cards.module.css'

/** The first line of a card: title at the start, state at the end. */
export const CardHead = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.line}>{children}</div>
)

interface CardFootProps {
  /** User, reason and other facts. Empty texts are left out. */
  readonly parts: readonly string[]
}

export const CardFoot = ({ parts }: CardFootProps) => (
  <p className={styles.actor}>{parts.filter(Boolean).join(' · ')}</p>
)
