import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

interface FactListProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** How they stand beside one another. */
  readonly className: string | undefined
  /** How far they can be trusted, for their look. */
  readonly trust?: string
}

/** Names with what is known under them; a name comes once. */
export const FactList = ({ facts, className, trust }: FactListProps) => (
  <dl className={[styles.facts, className].filter(Boolean).join(' ')} data-trust={trust}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
