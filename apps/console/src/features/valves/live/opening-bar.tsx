import styles from './valve-list.module.css'

interface OpeningBarProps {
  readonly openingPct: number | undefined
  readonly targetPct: number | undefined
  /** The opening as text, with unit. */
  readonly text: string
  readonly testId?: string
}

/** An opening as a bar with its number. A tick marks the target. */
export function OpeningBar({ openingPct, targetPct, text, testId }: OpeningBarProps) {
  return (
    <span className={styles.opening}>
      <span className={styles.openingNumber} data-testid={testId}>
        {text}
      </span>
      <span className={styles.openingTrack} aria-hidden>
        {openingPct !== undefined && (
          <span className={styles.openingFill} style={{ width: `${openingPct}%` }} />
        )}
        {targetPct !== undefined && (
          <span className={styles.openingTarget} style={{ left: `${targetPct}%` }} />
        )}
      </span>
    </span>
  )
}
