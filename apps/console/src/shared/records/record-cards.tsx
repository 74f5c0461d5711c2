import { Button, Checkbox } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordViewProps } from './record-table.tsx'
import styles from './records.module.css'

/** Cards that are added at a time. */
const MORE = 50

/** The records as cards, for a phone: the first column as title, the others as lines. */
export function RecordCards<Row extends object>(props: RecordViewProps<Row>): ReactNode {
  const { rows, columns, toKey, picked, isPickable, onPick, onOpen } = props
  const { t } = useTranslation('common')
  const [count, setCount] = useState(MORE)
  const [first, ...others] = columns
  return (
    <ul className={styles.cards} data-testid="record-cards">
      {rows.slice(0, count).map((row) => {
        const key = toKey(row)
        return (
          <li key={key} className={styles.card}>
            {isPickable && (
              <Checkbox
                aria-label={t('record.pick')}
                checked={picked.includes(key)}
                onChange={({ target }) =>
                  onPick(target.checked ? [...picked, key] : picked.filter((each) => each !== key))
                }
              />
            )}
            <button
              type="button"
              className={`bare ${styles.cardBody}`}
              data-testid={`record-${key}`}
              onClick={() => onOpen(row)}
            >
              <strong>{first?.render(row)}</strong>
              {others
                .filter(({ isOnCard = true, render }) => isOnCard && render(row) !== '')
                .map(({ key: column, title, render }) => (
                  <span key={column} className={styles.cardLine}>
                    <small>{title}</small>
                    <span>{render(row)}</span>
                  </span>
                ))}
            </button>
          </li>
        )
      })}
      {rows.length > count && (
        <li>
          <Button block onClick={() => setCount(count + MORE)}>
            {t('record.more', { count: rows.length - count })}
          </Button>
        </li>
      )}
    </ul>
  )
}
