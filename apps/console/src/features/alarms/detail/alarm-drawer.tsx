import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { useIsMobile } from '../../../shared/ui/use-width.ts'
import { alarmQuery } from '../queries.ts'
import { AlarmActions } from './alarm-actions.tsx'
import { AlarmFacts } from './alarm-facts.tsx'
import { KeptBehind, Timeline } from './timeline.tsx'

interface AlarmDrawerProps {
  /** Absent while the drawer is closed. */
  readonly id: number | undefined
  readonly onAlarm: (id: number | undefined) => void
}

const WIDTH_PX = 480

/**
 * One alarm with everything about it, beside the list. It opens in an update of its own, as the drawer of a valve
 * does: one whose rendering is given up for something live would stay noted as open.
 */
export function AlarmDrawer({ id, onAlarm }: AlarmDrawerProps) {
  const { t } = useTranslation('alarms')
  const isMobile = useIsMobile()
  const isWanted = id !== undefined
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => setOpen(isWanted), [isWanted])
  return (
    <Drawer
      open={isOpen}
      onClose={() => onAlarm(undefined)}
      title={id === undefined ? '' : t('detail.title', { id })}
      size={isMobile ? '100%' : WIDTH_PX}
      mask={isMobile}
      destroyOnHidden
    >
      {/* A drawer without a mask keeps the last element focused in it for good, and with it all it stood in. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus event from the drawer */}
      <div onFocus={(event) => event.stopPropagation()} data-testid="alarm-detail">
        {id !== undefined && <AlarmDetail key={id} id={id} onAlarm={onAlarm} />}
      </div>
    </Drawer>
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
  // An alarm that is here stays, and what is typed with it, when it cannot be read anew.
  if (found.data === undefined) return <ErrorState error={found.error} onRetry={() => found.refetch()} />
  if (found.data === null) return <EmptyState title={t('detail.gone')} />
  const alarm = found.data
  return (
    <>
      <AlarmFacts alarm={alarm} onAlarm={onAlarm} />
      {alarm.abilities.length > 0 && <AlarmActions alarm={alarm} />}
      {(alarm.keptBehind ?? 0) > 0 && <KeptBehind id={id} onAlarm={onAlarm} />}
      <Timeline id={id} kind={alarm.kind} />
    </>
  )
}
