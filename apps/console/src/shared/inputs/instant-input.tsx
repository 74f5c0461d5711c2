import type { ComponentProps } from 'react'
import styles from './instant-input.module.css'

type InstantInputProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'onChange'> & {
  /** Value in the format of `toLocalInput`; empty for none. */
  readonly value: string
  readonly onValue: (value: string) => void
}

/** A field for an instant in the viewer's zone. */
export function InstantInput({ onValue, ...rest }: InstantInputProps) {
  return (
    <input
      {...rest}
      type="datetime-local"
      className={styles.instant}
      onChange={(event) => onValue(event.target.value)}
    />
  )
}
