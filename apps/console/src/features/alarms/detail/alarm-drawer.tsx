import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { alarmQuery } from '../calls/alarm-queries.ts'
import { AlarmActions } from './alarm-actions.tsx'
import { AlarmFacts } from './alarm-facts.tsx'
import { SuppressedAlarms, Timeline } from './timeline.tsx'

interface AlarmDrawerProps {
  /** Undefined while the drawer is closed. */
  readonly id: number | undefined
  readonly onAlarm: (id: number | undefined) => void
}

const WIDTH_PX = 480

/** The details of one alarm, beside the list. */
export function AlarmDrawer({ id, onAlarm }: AlarmDrawerProps) {
  const { t } = useTranslation('alarms')
  return (
    <SideDrawer
      isWanted={id !== undefined}
      title={id === undefined ? '' : t('detail.title', { id })}
      widthPx={WIDTH_PX}
      onClose={() => onAlarm(undefined)}
    >
      <div data-testid="alarm-detail">
        {id !== undefined && <AlarmDetail key={id} id={id} onAlarm={onAlarm} />}
      </div>
    </SideDrawer>
  )
}

interface AlarmDetailProps {
  readonly id: number
  readonly onAlarm: (id: number | undefined) => void
}

function AlarmDetail({ id, onAlarm }: AlarmDetailProps) {
  const { t } = useTranslation('alarms')
  const found = useQuery(alarmQuery(id))
  if (found.isPending) return <LoadingState />
  // A loaded alarm stays after a failed refetch, and the typed text too.
  if (found.data === undefined) return <ErrorState error={found.error} onRetry={() => found.refetch()} />
  if (found.data === null) return <EmptyState title={t('detail.gone')} />
  const alarm = found.data
  return (
    <>
      <AlarmFacts alarm={alarm} onAlarm={onAlarm} />
      {alarm.abilities.length > 0 && <AlarmActions alarm={alarm} />}
      {(alarm.suppresses ?? 0) > 0 && <SuppressedAlarms id={id} onAlarm={onAlarm} />}
      <Timeline id={id} kind={alarm.kind} />
    </>
  )
}
