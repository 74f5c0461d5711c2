import type { NodeKey } from '@isotherm/contract/tree'
import { useCallback, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { useIsPermitted } from '../../shared/session/session-store.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { useBatchUpdates } from './batch/use-batch-updates.ts'
import { useCommandUpdates } from './commands/use-command-updates.ts'
import { useHoldUpdates } from './holds/use-holds.ts'
import styles from './live/real.module.css'
import { RealToolbar } from './live/real-toolbar.tsx'
import { parseRealUrl, toRealSearch } from './live/real-url.ts'
import { SummaryStrip } from './live/summary-strip.tsx'
import { useIdleNow } from './live/use-idle-now.ts'
import { useValveRows } from './live/use-valve-rows.ts'
import { summarize } from './live/valve-summary.ts'
import { SetOpeningDrawer } from './order/set-opening-drawer.tsx'
import { applyRowQuery, searchRows } from './rows/row-query.ts'
import { canControl } from './rows/valve-row.ts'
import { ValveDrawer } from './valve/valve-drawer.tsx'
import { ValveViews } from './valve-views.tsx'

/** Period at which stale rows are found and long or sorted tables are rebuilt, s; longer while the user scrolls. */
const UPDATE_EVERY_S = 2

/** Live valves of the selected subtree, as table, cards or cross-section. */
export default function FmrealPage() {
  const nodes = useSelectedNodes()
  return nodes ? (
    <ValvesNow nodes={nodes} />
  ) : (
    <PageFrame>
      <SelectionGone />
    </PageFrame>
  )
}

function ValvesNow({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const now = useIdleNow(UPDATE_EVERY_S)
  const { valves, rows, toCurrentRow, live, total, isWhole } = useValveRows(nodes, now)
  const [url, change] = usePageUrl(parseRealUrl, toRealSearch)
  const isMobile = useIsMobile()
  const navigate = useNavigate()
  const mayHistory = useIsPermitted('pe-fmhistory')
  useCommandUpdates()
  useBatchUpdates()
  useHoldUpdates()

  const { text, filter, sort, descending, selected } = url
  const shown = useMemo(
    () => applyRowQuery(rows, { text, filter, sort, descending }, now),
    [rows, text, filter, sort, descending, now],
  )
  // Figures of the valves that match the search, whatever state is filtered: they show how many there are of each.
  const summary = useMemo(() => summarize(searchRows(rows, text), now), [rows, text, now])
  const controllable = useMemo(() => rows.some(({ device }) => canControl(device)), [rows])
  const detailed = useMemo(() => rows.find(({ device }) => device.id === url.valve), [rows, url.valve])
  const selection = useMemo(() => new Set(selected), [selected])

  const select = useCallback(
    (ids: readonly number[], isSelected: boolean) => {
      const changed = new Set(ids)
      const rest = selected.filter((id) => !changed.has(id))
      change({ selected: isSelected ? [...rest, ...ids] : rest })
    },
    [selected, change],
  )
  const openSet = useCallback(
    (deviceId: number) => change({ setIds: [deviceId], valve: undefined, batch: undefined }, { push: true }),
    [change],
  )
  const openDetails = useCallback(
    (deviceId: number) => change({ valve: deviceId, setIds: [], batch: undefined }, { push: true }),
    [change],
  )
  const openHistory = useCallback(
    (deviceId: number) => {
      navigate(`/ewph/fmhistory?devices=${deviceId}`)
    },
    [navigate],
  )
  const view = url.view ?? (isMobile ? 'cards' : 'table')
  const list = {
    rows: shown,
    toCurrentRow,
    selected: selection,
    onSelect: select,
    onSet: openSet,
    onDetails: openDetails,
    onHistory: mayHistory ? openHistory : undefined,
    controllable,
    now,
  }

  return (
    <PageFrame
      fill
      toolbar={<RealToolbar url={url} change={change} controllable={controllable} view={view} />}
    >
      <div className={styles.page}>
        <SummaryStrip summary={summary} total={isWhole || text ? undefined : total} />
        <ValveViews
          valves={valves}
          live={live}
          total={total}
          isWhole={isWhole}
          hasRows={rows.length > 0}
          url={url}
          change={change}
          view={view}
          list={list}
        />
      </div>
      <ValveDrawer
        row={detailed && toCurrentRow(detailed)}
        now={now}
        onSet={openSet}
        onHistory={mayHistory ? openHistory : undefined}
        onClose={() => change({ valve: undefined })}
      />
      <SetOpeningDrawer
        ids={url.setIds}
        batch={url.batch}
        nodes={nodes}
        onBatch={(batch) => change({ batch })}
        onClose={() => change({ setIds: [], batch: undefined })}
      />
    </PageFrame>
  )
}
