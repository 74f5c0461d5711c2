import type { ReactNode } from 'react'
import styles from './paged-cards.module.css'

/** The first line of a card: what it is, and at its end how it stands. */
export const CardHead = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.line}>{children}</div>
)

interface CardFootProps {
  /** Who ordered it, why, and what else is known; empty ones are left out. */
  readonly parts: readonly string[]
}

export const CardFoot = ({ parts }: CardFootProps) => (
  <p className={styles.actor}>{parts.filter(Boolean).join(' · ')}</p>
)
