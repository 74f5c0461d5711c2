import { isStale } from '@isotherm/contract/devices'
import type { Room } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { AgeBadge } from '../../../shared/ui/badge.tsx'
import styles from '../rooms.module.css'
import { RoomStateBadge } from '../why/room-state-badge.tsx'
import { useReasonText } from '../why/use-reason-text.ts'

function RoomAge({ room: { device, newest } }: { readonly room: Room }) {
  const now = useNow(10)
  const at = newest?.at
  return <AgeBadge ts={at} now={now} stale={at === undefined || isStale(at, device.periodS, now)} />
}

/** Columns of the list of rooms. */
export function useRoomColumns(): readonly RecordColumn<Room>[] {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const toReason = useReasonText()
  const toReasons = ({ reasons }: Room) => reasons.map(toReason).join(t('semicolon'))
  return [
    {
      key: 'place',
      title: t('column.place'),
      widthPx: 250,
      value: ({ device }) => device.nestaddr,
      render: ({ device }) => (
        <span title={toWholeAddress(device.nestaddr)}>{toCompactAddress(device.nestaddr)}</span>
      ),
    },
    {
      key: 'temperature',
      title: t('column.room'),
      widthPx: 110,
      align: 'end',
      value: ({ newest }) => newest?.roomC ?? '',
      render: ({ newest, state }) => (
        <span className={styles.value} data-state={state}>
          {format.metricValue('temp.room', newest?.roomC)}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('column.state'),
      widthPx: 120,
      render: ({ state }) => <RoomStateBadge state={state} />,
      text: ({ state }) => t(`state.${state}`),
    },
    {
      key: 'reasons',
      title: t('column.reasons'),
      widthPx: 280,
      render: (room) => <span title={toReasons(room)}>{toReasons(room)}</span>,
      text: toReasons,
    },
    {
      key: 'age',
      title: t('column.age'),
      widthPx: 120,
      render: (room) => <RoomAge room={room} />,
      text: ({ newest }) => format.instant(newest?.at),
    },
    {
      key: 'serial',
      title: t('column.serial'),
      widthPx: 170,
      isExtra: true,
      render: ({ device }) => device.imei,
      text: ({ device }) => device.imei,
    },
    {
      key: 'name',
      title: t('column.name'),
      widthPx: 170,
      isExtra: true,
      render: ({ device }) => device.name,
      text: ({ device }) => device.name,
    },
  ]
}
