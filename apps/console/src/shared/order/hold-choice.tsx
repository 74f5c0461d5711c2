import { DAY_MS } from '@isotherm/kernel/durations'
import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalInput } from '../format/local-input.ts'
import { InstantInput } from '../inputs/instant-input.tsx'
import { readServerNow } from '../live/server-now.ts'
import { type HoldWish, holdChoices, toHoldUntil } from './hold-until.ts'
import styles from './order.module.css'

interface HoldChoiceProps {
  readonly wish: HoldWish
  readonly onChange: (wish: HoldWish) => void
}

/** Choice of how long a command holds its target. During that time, commands with a lower priority are refused. */
export function HoldChoice({ wish, onChange }: HoldChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  const isWrong = wish.choice === 'until' && toHoldUntil(wish, readServerNow()) === 'wrong'
  return (
    <div className={styles.field}>
      <label htmlFor={`${id}-choice`}>{t('order.hold')}</label>
      <Select
        id={`${id}-choice`}
        data-testid="hold-choice"
        className={styles.holdSelect ?? ''}
        value={wish.choice}
        options={holdChoices.map((choice) => ({ value: choice, label: t(`order.holdChoice.${choice}`) }))}
        onChange={(choice) =>
          onChange({
            choice,
            until: wish.until === '' ? toLocalInput(readServerNow() + DAY_MS).slice(0, 16) : wish.until,
          })
        }
      />
      {wish.choice === 'until' && (
        <InstantInput
          aria-label={t('order.holdUntil')}
          aria-invalid={isWrong}
          value={wish.until}
          onValue={(until) => onChange({ ...wish, until })}
        />
      )}
      <span className={styles.hint}>
        {isWrong ? t('order.wrongUntil') : wish.choice !== 'none' && t('order.holdMeans')}
      </span>
    </div>
  )
}
