import { useTranslation } from 'react-i18next'
import styles from './alarms.module.css'

interface ShownPartProps {
  readonly shown: number
  readonly total: number
}

/** A note that the list is incomplete, if it is. */
export function ShownPart({ shown, total }: ShownPartProps) {
  const { t } = useTranslation('alarms')
  return shown < total ? <p className={styles.hint}>{t('list.first', { shown, total })}</p> : null
}
