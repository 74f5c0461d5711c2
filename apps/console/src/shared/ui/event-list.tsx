import type { ReactNode } from 'react'
import { useFormat } from '../format/use-format.ts'
import styles from './event-list.module.css'

interface EventListProps {
  readonly testId?: string
  readonly children: ReactNode
}

/** A list of events, one line each. */
export const EventList = ({ testId, children }: EventListProps) => (
  <ol className={styles.events} data-testid={testId}>
    {children}
  </ol>
)

interface EventLineProps {
  /** Unix ms. */
  readonly at: number
  readonly name: string
  /** Name of the user. */
  readonly by: string
  /** Good or bad outcome; absent for most events. */
  readonly tone?: 'good' | 'alarm' | undefined
  /** Further details. */
  readonly children?: ReactNode
}

/** One event with its time, text and user. */
export function EventLine({ at, name, by, tone, children }: EventLineProps) {
  const format = useFormat()
  return (
    <li data-tone={tone}>
      <time dateTime={new Date(at).toISOString()}>{format.instant(at)}</time>
      <strong>{name}</strong>
      {children}
      <small>{by}</small>
    </li>
  )
}
