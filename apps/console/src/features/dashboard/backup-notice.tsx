import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../../shared/format/use-format.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { BACKUPS_PATH, BACKUPS_PERMISSION, backupsQuery } from '../../shared/installation/backups.ts'
import { useSession } from '../../shared/session/session-store.ts'

/** For administrators: that a backup is missing or failed, and the way to its reason. Nothing if all is well or not known. */
export function BackupNotice() {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const now = useNow(60)
  const isAdministrator = useSession(({ permitted }) => permitted.has(BACKUPS_PERMISSION))
  const { data } = useQuery({ ...backupsQuery, enabled: isAdministrator })
  if (!data?.alarm) return null
  return (
    <Alert
      type="error"
      showIcon
      data-testid="home-backups"
      title={t(`backups.${data.alarm}`, { age: format.age(data.lastWholeAt ?? undefined, now) })}
      action={<Link to={BACKUPS_PATH}>{t('open')}</Link>}
    />
  )
}
