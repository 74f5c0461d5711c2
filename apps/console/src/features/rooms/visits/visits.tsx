import { getRoomVisits } from '@isotherm/contract/endpoints/monitoring/rooms'
import type { RoomVisit } from '@isotherm/contract/rooms/room-visit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { createListUrl } from '../../../shared/records/list-url.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import { usePartUrl } from '../use-part-url.ts'
import { useVisitColumns } from './visit-columns.tsx'
import { VisitDrawer } from './visit-drawer.tsx'

const address = createListUrl({ filters: ['section', 'state'] })
const PAGE_ROWS = 100
const REFRESH_MS = 60_000
const nothing: readonly never[] = []
const states = ['open', 'done'] as const
const toKey = ({ visit }: RoomVisit): string => String(visit)

/** Complaints about rooms and the visits that measure them, the most urgent first. */
export default function Visits() {
  const { t } = useTranslation('rooms')
  const nodes = useSelectedNodes() ?? nothing
  const { url, onUrl } = usePartUrl(address, 'visits')
  const { state } = url.filters
  const input = {
    nodes: [...nodes],
    text: usePaused(url.text).trim(),
    ...(state === 'open' || state === 'done' ? { isOpen: state === 'open' } : {}),
    limiter: { page: url.page, size: PAGE_ROWS },
  }
  const query = useQuery({
    queryKey: ['rooms', 'visits', input],
    queryFn: ({ signal }) => call(getRoomVisits, input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
  const columns = useVisitColumns()
  return (
    <>
      <RecordList<RoomVisit>
        name="room-visits"
        query={query}
        pageSize={PAGE_ROWS}
        toKey={toKey}
        toName={({ resident }) => resident}
        columns={columns}
        searchLabel={t('visit.search')}
        filters={[
          {
            name: 'state',
            label: t('visit.state.label'),
            options: states.map((value) => ({ value, label: t(`visit.state.${value}`) })),
          },
        ]}
        loadAll={() => listAll((limiter) => call(getRoomVisits, { ...input, limiter }), toKey)}
        emptyHint={t('visit.emptyHint')}
        url={url}
        onUrl={onUrl}
      />
      <VisitDrawer
        visit={query.data?.datalist.find((visit) => toKey(visit) === url.open)}
        onClose={() => onUrl({ open: undefined })}
      />
    </>
  )
}
