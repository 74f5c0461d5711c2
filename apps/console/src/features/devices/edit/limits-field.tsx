import { InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { ControlProps } from '../../../shared/form/form-field.ts'
import styles from './edit.module.css'

/** Limits of which one may still be missing. */
const limitsDraft = z.object({ minPct: z.number().optional(), maxPct: z.number().optional() })
type LimitsDraft = z.infer<typeof limitsDraft>

const bounds = ['minPct', 'maxPct'] as const

/** Smallest and largest opening that commands may set, %. Both empty: no limits. */
export function LimitsField({ id, value, isFaulty, onValue }: ControlProps) {
  const { t } = useTranslation('devices')
  const parsed = limitsDraft.safeParse(value)
  const draft = parsed.success ? parsed.data : {}
  const change = (part: LimitsDraft) => {
    const next = { ...draft, ...part }
    onValue(next.minPct === undefined && next.maxPct === undefined ? undefined : next)
  }
  return (
    <div className={styles.pair}>
      {bounds.map((bound, index) => (
        <InputNumber
          key={bound}
          {...(index === 0 && { id })}
          aria-label={t(`edit.${bound}`)}
          data-testid={`limit-${bound}`}
          prefix={t(`edit.${bound}`)}
          suffix="%"
          min={0}
          max={100}
          status={isFaulty ? 'error' : ''}
          value={draft[bound] ?? null}
          onChange={(next) => change({ [bound]: next ?? undefined })}
        />
      ))}
    </div>
  )
}
