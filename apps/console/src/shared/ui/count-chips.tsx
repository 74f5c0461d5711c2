import type { ReactNode } from 'react'
import { useFormat } from '../format/use-format.ts'
import styles from './count-chips.module.css'

interface CountChip<Key> {
  readonly key: Key
  readonly text: string
  readonly count: number
  readonly tone?: 'good' | 'alarm' | undefined
}

interface CountChipsProps<Key> {
  readonly label: string
  readonly chips: readonly CountChip<Key>[]
  /** The selected kind; absent if all are shown. */
  readonly chosen: Key | undefined
  readonly onChoose: (key: Key) => void
  readonly testId: string
  /** Content behind the chips. */
  readonly children?: ReactNode
}

/** Chips with the number of rows of each kind; a chip filters by its kind. */
export function CountChips<Key extends string>(props: CountChipsProps<Key>) {
  const { label, chips, chosen, onChoose, testId, children } = props
  const format = useFormat()
  return (
    <div className={styles.chips} role="toolbar" aria-label={label}>
      {chips.map(({ key, text, count, tone }) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === chosen}
          data-tone={tone}
          data-testid={`${testId}-${key}`}
          onClick={() => onChoose(key)}
        >
          {text} <strong>{format.number(count, 0)}</strong>
        </button>
      ))}
      {children}
    </div>
  )
}
