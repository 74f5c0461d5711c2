import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalInput } from '../../../shared/format/local-input.ts'
import { InstantInput } from '../../../shared/ui/instant-input.tsx'
import { readServerNow } from '../queries.ts'
import text from '../text.module.css'
import { type HoldWish, holdChoices, toHoldUntil } from './hold-until.ts'
import styles from './order.module.css'

interface HoldChoiceProps {
  readonly wish: HoldWish
  readonly onChange: (wish: HoldWish) => void
}

const TOMORROW_MS = 86_400_000

/** How long what is ordered is to stand against orders of a lower priority. */
export function HoldChoice({ wish, onChange }: HoldChoiceProps) {
  const { t } = useTranslation('valves')
  const id = useId()
  const isWrong = wish.choice === 'until' && toHoldUntil(wish, readServerNow()) === 'wrong'
  return (
    <div className={styles.field}>
      <label htmlFor={`${id}-choice`}>{t('hold.label')}</label>
      <Select
        id={`${id}-choice`}
        data-testid="hold-choice"
        className={styles.holdSelect ?? ''}
        value={wish.choice}
        options={holdChoices.map((choice) => ({ value: choice, label: t(`hold.choice.${choice}`) }))}
        onChange={(choice) =>
          onChange({
            choice,
            until: wish.until === '' ? toLocalInput(readServerNow() + TOMORROW_MS).slice(0, 16) : wish.until,
          })
        }
      />
      {wish.choice === 'until' && (
        <InstantInput
          aria-label={t('hold.until')}
          aria-invalid={isWrong}
          value={wish.until}
          onValue={(until) => onChange({ ...wish, until })}
        />
      )}
      <span className={text.hint}>
        {isWrong ? t('hold.wrongUntil') : wish.choice !== 'none' && t('hold.means')}
      </span>
    </div>
  )
}
