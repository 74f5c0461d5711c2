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

/** Highest number on the bell. The accessible name of the bell states the exact number. */
const MOST_SHOWN = 99

/** Link to the unacknowledged critical alarms, with their number. */
export function AlarmBell(): ReactNode {
  return useIsPermitted('pr-rtalarm') ? <Bell /> : null
}

function Bell(): ReactNode {
  const { t } = useTranslation('common')
  // Keeps the cached alarms current for all pages and tiles.
  useAlarmUpdates()
  const counts = useQuery(alarmCountsQuery(everywhere))
  const count = counts.data?.bySeverity.find(({ severity }) => severity === 'critical')?.unacknowledged ?? 0
  // While the number is unknown, show no zero.
  const text = counts.data ? t('alarm.unacknowledged', { count }) : t('alarm.uncounted')
  return (
    <Link
      className="alarm-bell"
      to={count > 0 ? `${ALARMS_PATH}?severity=critical&state=unacknowledged` : ALARMS_PATH}
      aria-label={text}
      title={text}
      data-testid="alarm-bell"
    >
      <BellOutlined />
      {count > 0 && <b aria-hidden>{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</b>}
    </Link>
  )
}
