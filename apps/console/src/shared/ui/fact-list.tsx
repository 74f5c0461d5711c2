import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

interface FactListProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** How they stand beside one another. */
  readonly className: string | undefined
  /** How far they can be trusted, for their look. */
  readonly trust?: string
  /** Each in a box of its own: figures that are compared. */
  readonly isTiled?: boolean
  /** What they are of, where nothing beside them says so. */
  readonly label?: string
}

/** Names with what is known under them. */
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
