import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './chart-legend.module.css'
import { type ChartLine, toOpacity } from './chart-option.ts'

/** The names of the curves. Each is a button that hides or shows its curve. */
export function ChartLegend(props: {
  readonly lines: readonly ChartLine[]
  readonly hidden: ReadonlySet<string>
  readonly onToggle: (name: string) => void
}): ReactNode {
  const { t } = useTranslation('history')
  // Two valves may have the same compact name: one button switches both.
  const named = new Map(props.lines.map((line) => [line.name, line]))
  return (
    <ul className={styles.legend} aria-label={t('history.legend')}>
      {[...named.values()].map(({ name, color, dash, curve }) => (
        <li key={name}>
          <button
            type="button"
            className="bare"
            aria-pressed={!props.hidden.has(name)}
            onClick={() => props.onToggle(name)}
          >
            <i style={{ borderTopColor: color, borderTopStyle: dash, opacity: toOpacity({ curve }) }} />
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
