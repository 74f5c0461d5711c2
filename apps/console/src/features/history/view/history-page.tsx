import type { Device } from '@isotherm/contract/devices'
import type { EarlierDevice } from '@isotherm/contract/endpoints/monitoring/history'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../shared/format/use-now.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { PageFrame } from '../../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../../shared/ui/selection-gone.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { usePageUrl } from '../../../shared/url/use-page-url.ts'
import { devicesByIdQuery } from '../devices/device-queries.ts'
import { earlierQuery } from '../devices/earlier-query.ts'
import { defaultMetrics } from '../devices/history-metrics.ts'
import { HistoryTools } from './history-tools.tsx'
import type { HistoryAddress } from './history-url.ts'
import { HistoryView } from './history-view.tsx'

const noDevices: readonly Device[] = []
const noEarlier: readonly EarlierDevice[] = []

/** The chosen devices in the order in which they were chosen. */
function useChosen(ids: readonly number[]) {
  const query = useQuery(devicesByIdQuery(ids))
  const found = query.data ?? noDevices
  const chosen = useMemo(
    () => ids.flatMap((id) => found.find((device) => device.id === id) ?? []),
    [ids, found],
  )
  return { query, chosen }
}

/** Curves of devices of any kind over a range, with command and alarm marks. */
export function HistoryPage({ address }: { readonly address: HistoryAddress }) {
  const { t } = useTranslation('history')
  const now = useNow()
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(address.parse, address.toSearch)
  const { query, chosen } = useChosen(url.deviceIds)
  const earlier = useQuery(earlierQuery(useMemo(() => chosen.map(({ id }) => id), [chosen])))
  const kinds = useMemo(() => [...new Set(chosen.map(({ kind }) => kind))], [chosen])
  const shownKinds = kinds.length > 0 ? kinds : [url.kind]
  const metrics = url.metrics ?? [...new Set(shownKinds.flatMap((kind) => defaultMetrics[kind]))]
  return (
    <PageFrame
      fill
      toolbar={
        <HistoryTools
          url={url}
          metrics={metrics}
          kinds={shownKinds}
          change={change}
          nodes={nodes}
          chosen={chosen}
          earlier={earlier.data ?? noEarlier}
          now={now}
        />
      }
    >
      {url.deviceIds.length === 0 ? (
        nodes ? (
          <EmptyState title={t('history.none')} />
        ) : (
          <SelectionGone />
        )
      ) : query.isPending ? (
        <LoadingState />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => query.refetch()} />
      ) : chosen.length === 0 ? (
        <EmptyState title={t('history.unknown', { count: url.deviceIds.length })} />
      ) : earlier.isPending ? (
        <LoadingState />
      ) : (
        <HistoryView
          missing={query.isPlaceholderData ? 0 : url.deviceIds.length - chosen.length}
          devices={chosen}
          earlier={earlier.data ?? noEarlier}
          metrics={metrics}
          range={url.range}
          view={url.view}
          isCompared={url.compare}
          now={now}
          onRange={(range) => change({ range }, { push: true })}
        />
      )}
    </PageFrame>
  )
}
