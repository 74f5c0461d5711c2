import { useTranslation } from 'react-i18next'
import styles from './rooms.module.css'

/** Marks a room temperature that is estimated, not measured. */
export function EstimateBadge() {
  const { t } = useTranslation('balancing')
  return (
    <small
      className={styles.estimated}
      title={t('campaign.rooms.estimatedHint')}
      data-testid="room-estimated"
    >
      {t('campaign.rooms.estimated')}
    </small>
  )
}
