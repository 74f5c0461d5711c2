import { type Room, roomState } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLiveRooms } from '../../shared/devices/use-live-rooms.ts'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { FilterBar } from '../../shared/records/filter-bar.tsx'
import { withFilter } from '../../shared/records/list-url.ts'
import { RecordList } from '../../shared/records/record-list.tsx'
import { usePaused } from '../../shared/screen/use-paused.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { useRoomColumns } from './list/room-columns.tsx'
import { BandBar } from './live/band-bar.tsx'
import { RoomMap } from './live/room-map.tsx'
import { roomsQuery } from './room-queries.ts'
import { type RoomView, roomAddress, roomViews, toBand, toState, toView } from './room-url.ts'
import { RoomDrawer } from './why/room-drawer.tsx'

const nothing: readonly never[] = []
const PAGE_ROWS = 50
/** Rooms of the floor map: some fifteen buildings. */
const MAP_ROOMS = 1_000
const toKey = ({ device }: Room): string => String(device.id)
const toName = ({ device }: Room): string => device.name

/** Rooms now: the coldest first with why, rooms by band, and a floor map of buildings. */
export default function RtrealPage() {
  const { t } = useTranslation('rooms')
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(roomAddress.parse, roomAddress.toSearch)
  const text = usePaused(url.text).trim()
  const view = toView(url)
  const isMap = view === 'map'
  const answer = useQuery({
    ...roomsQuery({
      nodes: [...(nodes ?? nothing)],
      text,
      state: toState(url),
      band: toBand(url),
      sort: isMap || url.sort === 'place' ? 'place' : 'temperature',
      descending: !isMap && url.descending,
      limiter: isMap ? { page: 1, size: MAP_ROOMS } : { page: url.page, size: PAGE_ROWS },
    }),
    enabled: nodes !== undefined,
  })
  const query = useLiveRooms(answer)
  const columns = useRoomColumns()
  if (nodes === undefined) return <SelectionGone />
  const { data } = query
  const search = {
    searchLabel: t('search'),
    filters: [
      {
        name: 'state',
        label: t('state.label'),
        options: roomState.options.map((value) => ({ value, label: t(`state.${value}`) })),
      },
    ],
    controls: (
      <>
        <Segmented<RoomView>
          aria-label={t('view.label')}
          value={view}
          options={roomViews.map((value) => ({ value, label: t(`view.${value}`) }))}
          onChange={(next) => change(withFilter(url, 'view', next === 'list' ? undefined : next))}
        />
        {data && (
          <BandBar
            counts={data.counts}
            rules={data.rules}
            otherRules={data.otherRules}
            chosen={toBand(url)}
            onChoose={(band) =>
              change(withFilter(url, 'band', band === undefined ? undefined : String(band)))
            }
          />
        )}
      </>
    ),
  }
  return (
    <>
      {isMap ? (
        <PageFrame fill toolbar={<FilterBar url={url} onUrl={change} {...search} />}>
          <Answer query={query}>
            {(rooms) => (
              <RoomMap rooms={rooms} onOpen={(room) => change({ open: toKey(room) }, { push: true })} />
            )}
          </Answer>
        </PageFrame>
      ) : (
        <RecordList<Room>
          name="rooms"
          query={query}
          pageSize={PAGE_ROWS}
          isServerSorted
          toKey={toKey}
          toName={toName}
          columns={columns}
          url={url}
          onUrl={change}
          {...search}
        />
      )}
      <RoomDrawer
        room={data?.datalist.find((room) => toKey(room) === url.open)}
        onClose={() => change({ open: undefined })}
      />
    </>
  )
}
