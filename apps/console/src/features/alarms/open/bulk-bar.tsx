import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../parts/alarms.module.css'

interface BulkBarProps {
  /** Number of selected alarms. */
  readonly picked: number
  /** Number of alarms that match the filter. */
  readonly total: number
  readonly onUnpick: () => void
  readonly onPicked: () => void
  readonly onAll: () => void
}

/** The bulk actions. */
export function BulkBar({ picked, total, onUnpick, onPicked, onAll }: BulkBarProps) {
  const { t } = useTranslation('alarms')
  return (
    <div className={styles.bulk}>
      {picked > 0 && (
        <>
          <span>{t('act.selected', { count: picked })}</span>
          <Button size="small" type="text" onClick={onUnpick}>
            {t('act.unselect')}
          </Button>
          <Button size="small" type="primary" onClick={onPicked} data-testid="handle-selected">
            {t('act.onSelected')}
          </Button>
        </>
      )}
      <Button size="small" onClick={onAll} data-testid="handle-all">
        {t('act.onAll', { count: total })}
      </Button>
    </div>
  )
}
