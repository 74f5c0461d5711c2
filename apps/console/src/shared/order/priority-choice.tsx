import type { CommandPriority } from '@isotherm/contract/command'
import { Segmented } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './order.module.css'

/** Priorities that users can choose; the others belong to automatic control. */
const PRIORITIES = ['manual', 'emergency'] as const satisfies readonly CommandPriority[]
export type PersonPriority = (typeof PRIORITIES)[number]

interface PriorityChoiceProps {
  readonly priority: PersonPriority
  /** Explains what an emergency command overrides. */
  readonly emergencyMeans: string
  readonly onChange: (priority: PersonPriority) => void
}

/** Choice between manual and emergency priority. */
export function PriorityChoice({ priority, emergencyMeans, onChange }: PriorityChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className={styles.field}>
      <span id={id}>{t('order.priority')}</span>
      <Segmented
        aria-labelledby={id}
        data-testid="priority-choice"
        value={priority}
        options={PRIORITIES.map((value) => ({ value, label: t(`order.priorities.${value}`) }))}
        onChange={onChange}
      />
      <span className={styles.hint}>{priority === 'emergency' && emergencyMeans}</span>
    </div>
  )
}
