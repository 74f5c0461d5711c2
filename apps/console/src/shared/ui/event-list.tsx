import type { ReactNode } from 'react'
import { useFormat } from '../format/use-format.ts'
import styles from './event-list.module.css'

interface EventListProps {
  readonly testId?: string
  readonly children: ReactNode
}

/** What happened, one line each. */
export const EventList = ({ testId, children }: EventListProps) => (
  <ol className={styles.events} data-testid={testId}>
    {children}
  </ol>
)

interface EventLineProps {
  /** Unix ms. */
  readonly at: number
  readonly name: string
  /** Who did it. */
  readonly by: string
  /** For better or for worse; most are neither. */
  readonly tone?: 'good' | 'alarm' | undefined
  /** What else there is to say. */
  readonly children?: ReactNode
}

/** When it happened, what, and who did it. */
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
