import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import { InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import { planBounds } from '../plan-bounds.ts'
import styles from './week.module.css'

const scales = {
  flow: { ...planBounds.sharePct, step: 5 },
  room: { ...planBounds.roomC, step: 0.5 },
} as const satisfies Record<SlotLevel['kind'], unknown>

interface LevelFieldProps {
  readonly label: string
  readonly level: SlotLevel
  readonly onLevel: (level: SlotLevel) => void
  readonly testId: string
}

/** Field for a level with its unit. Values are clamped to the bounds. */
export function LevelField({ label, level, onLevel, testId }: LevelFieldProps) {
  const { t } = useTranslation('balancing')
  return (
    <InputNumber<number>
      className={styles.level ?? ''}
      aria-label={`${label} ${t(`week.level.${level.kind}`)}`}
      data-testid={testId}
      {...scales[level.kind]}
      value={level.kind === 'flow' ? Math.round(100 * level.share) : level.roomC}
      suffix={level.kind === 'flow' ? '%' : '°C'}
      onChange={(value) => {
        if (value === null) return
        onLevel(level.kind === 'flow' ? { kind: 'flow', share: value / 100 } : { kind: 'room', roomC: value })
      }}
    />
  )
}
