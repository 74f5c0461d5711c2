import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

interface FactListProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** Layout of the facts. */
  readonly className: string | undefined
  /** Trust of the values, for their style. */
  readonly trust?: string
  /** Shows each fact in its own box, for figures to compare. */
  readonly isTiled?: boolean
  /** Accessible name, if no heading names them. */
  readonly label?: string
}

/** List of names with values. */
export const FactList = ({ facts, className, trust, isTiled, label }: FactListProps) => (
  <dl
    className={[styles.facts, isTiled && styles.tiles, className].filter(Boolean).join(' ')}
    data-trust={trust}
    aria-label={label}
  >
    {facts.map(([name, value], index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their places, and names may come twice
      <div key={index}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
