import { BellOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alarmCountsQuery } from '../../shared/alarms/alarm-counts.ts'
import { ALARMS_PATH } from '../../shared/alarms/alarms-path.ts'
import { useAlarmUpdates } from '../../shared/alarms/use-alarm-updates.ts'
import { useIsPermitted } from '../../shared/session/session-store.ts'

const everywhere: readonly NodeKey[] = []

/** Highest number shown on the bell. Its accessible name has the exact number. */
const MAX_SHOWN = 99

/** Link to the unacknowledged critical alarms, with their count. */
export function AlarmBell(): ReactNode {
  return useIsPermitted('pr-rtalarm') ? <Bell /> : null
}

function Bell(): ReactNode {
  const { t } = useTranslation('common')
  // Updates the cached alarms for all pages and tiles.
  useAlarmUpdates()
  const counts = useQuery(alarmCountsQuery(everywhere))
  const count = counts.data?.bySeverity.find(({ severity }) => severity === 'critical')?.unacknowledged ?? 0
  // Show no zero while the number is unknown.
  const text = counts.data ? t('alarm.unacknowledged', { count }) : t('alarm.uncounted')
  return (
    <Link
      className="alarm-bell"
      to={
        count > 0
          ? `${ALARMS_PATH}?section=open&severity=critical&state=unacknowledged`
          : `${ALARMS_PATH}?section=open`
      }
      aria-label={text}
      title={text}
      data-testid="alarm-bell"
    >
      <BellOutlined />
      {count > 0 && <b aria-hidden>{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</b>}
    </Link>
  )
}
