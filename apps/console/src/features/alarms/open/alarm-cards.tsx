import { CheckOutlined } from '@ant-design/icons'
import { Button, Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import { SeverityBadge } from '../../../shared/alarms/severity-badge.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { AlarmName, AlarmNote, AlarmPlace, AlarmValue } from '../parts/alarm-parts.tsx'
import styles from '../parts/alarms.module.css'
import { StateBadge } from '../parts/state-badge.tsx'
import type { AlarmListProps } from './alarm-table.tsx'

/** The list as cards, for a phone. Cards outside the view are not laid out. */
export function AlarmCards(props: AlarmListProps) {
  const { alarms, picked, now, isActionable, onOpen, onPick, onAcknowledge } = props
  const { t } = useTranslation('alarms')
  const format = useFormat()
  return (
    <ul className={styles.cards} aria-label={t('list.label')}>
      {alarms.map((alarm) => {
        const { id, severity, state, raisedAt, abilities } = alarm
        return (
          <li key={id} className={styles.card} data-severity={severity}>
            <div className={styles.cardHead}>
              {isActionable && (
                <Checkbox
                  aria-label={t(`kind.${alarm.kind}`)}
                  checked={picked.includes(id)}
                  disabled={abilities.length === 0}
                  onChange={({ target }) =>
                    onPick(target.checked ? [...picked, id] : picked.filter((each) => each !== id))
                  }
                />
              )}
              <SeverityBadge severity={severity} />
              <StateBadge state={state} />
              <span className="age" title={format.instant(raisedAt)}>
                {format.age(raisedAt, now)}
              </span>
            </div>
            <button
              type="button"
              className={`bare ${styles.cardBody}`}
              onClick={() => onOpen(id)}
              data-testid={`alarm-${id}`}
            >
              <span className={styles.cardTitle}>
                <AlarmName alarm={alarm} />
                <AlarmValue alarm={alarm} />
              </span>
              <AlarmPlace {...alarm} />
              <small>
                <AlarmNote alarm={alarm} />
              </small>
            </button>
            {abilities.includes('acknowledge') && (
              <Button
                icon={<CheckOutlined />}
                onClick={() => onAcknowledge(alarm)}
                data-testid={`acknowledge-${id}`}
              >
                {t('act.acknowledge')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
