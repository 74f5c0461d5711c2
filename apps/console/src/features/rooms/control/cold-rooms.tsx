import { getRooms, type Room, roomState } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import { useLiveRooms } from '../../../shared/devices/use-live-rooms.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { createListUrl } from '../../../shared/records/list-url.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import { findKnown } from '../../../shared/url/url-words.ts'
import { useRoomColumns } from '../list/room-columns.tsx'
import { roomsQuery } from '../room-queries.ts'
import { usePartUrl } from '../use-part-url.ts'
import { RoomDrawer } from '../why/room-drawer.tsx'

const address = createListUrl({ filters: ['section', 'state'], sorts: ['temperature'] })
const PAGE_ROWS = 50
const nothing: readonly never[] = []
const toKey = ({ device }: Room): string => String(device.id)
const toName = ({ device }: Room): string => device.name

/** Rooms that need attention: cold ones first, each with its cause and what to do about it. */
export default function ColdRooms() {
  const { t } = useTranslation('rooms')
  const nodes = useSelectedNodes() ?? nothing
  const { url, onUrl } = usePartUrl(address, 'rooms')
  const text = usePaused(url.text).trim()
  const state = findKnown(url.filters.state ?? '', roomState.options) ?? 'cold'
  const input = {
    nodes: [...nodes],
    text,
    state,
    sort: 'temperature' as const,
    descending: url.sort === undefined ? state === 'hot' : url.descending,
    limiter: { page: url.page, size: PAGE_ROWS },
  }
  const query = useLiveRooms(useQuery(roomsQuery(input)))
  const toAdvice = ({ reasons }: Room) => {
    const [first] = reasons
    return first ? t(`advice.${first.kind}`) : t(state === 'ok' ? 'drawer.fine' : 'drawer.noReason')
  }
  const advice: RecordColumn<Room> = {
    key: 'advice',
    title: t('column.advice'),
    widthPx: 280,
    render: (room) => <span title={toAdvice(room)}>{toAdvice(room)}</span>,
    text: toAdvice,
  }
  const columns = useRoomColumns()
  const counts = query.data?.counts
  const stateCounts = counts && {
    ...counts,
    ok: counts.rooms - counts.cold - counts.hot - counts.doubtful - counts.silent,
  }
  return (
    <>
      <RecordList<Room>
        name="cold-rooms"
        query={query}
        pageSize={PAGE_ROWS}
        isServerSorted
        toKey={toKey}
        toName={toName}
        columns={[...columns.slice(0, 4), advice, ...columns.slice(4)]}
        searchLabel={t('search')}
        filters={[
          {
            name: 'state',
            label: `${t('state.label')}: ${t(`state.${state}`)}`,
            options: roomState.options.map((value) => ({
              value,
              label: stateCounts ? `${t(`state.${value}`)} (${stateCounts[value]})` : t(`state.${value}`),
            })),
          },
        ]}
        loadAll={() =>
          listAll(
            (limiter) => call(getRooms, { ...input, limiter }),
            ({ device }) => device.id,
          )
        }
        url={url}
        onUrl={onUrl}
      />
      <RoomDrawer
        room={query.data?.datalist.find((room) => toKey(room) === url.open)}
        onClose={() => onUrl({ open: undefined })}
      />
    </>
  )
}
