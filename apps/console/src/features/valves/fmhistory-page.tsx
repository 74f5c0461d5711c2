import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../shared/format/use-now.ts'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { useCommandUpdates } from './commands/use-command-updates.ts'
import { HistoryTools } from './history/history-tools.tsx'
import { parseHistoryUrl, toHistorySearch } from './history/history-url.ts'
import { HistoryView } from './history/history-view.tsx'
import { noValves } from './selection/list-valves.ts'
import { useDevicesById } from './selection/use-devices-by-id.ts'
import { valvesQuery } from './selection/valves-query.ts'

const noNodes: readonly NodeKey[] = []

/** Valve history: curves of up to four valves over a range, with command and alarm marks. */
export default function FmhistoryPage() {
  const { t } = useTranslation('valves')
  const now = useNow()
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(parseHistoryUrl, toHistorySearch)
  const subtree = useQuery({ ...valvesQuery(nodes ?? noNodes), enabled: nodes !== undefined })
  const { devices: inside, isWhole } = (nodes && subtree.data) ?? noValves
  const { found: chosen, query: search } = useDevicesById(url.deviceIds, nodes)
  useCommandUpdates()
  // The chosen valves stay among the choices when another subtree is selected.
  const choices = useMemo(() => {
    const ids = new Set(inside.map(({ id }) => id))
    return [...chosen.filter(({ id }) => !ids.has(id)), ...inside]
  }, [inside, chosen])
  const toolbar = (
    <HistoryTools
      url={url}
      change={change}
      nodes={nodes}
      choices={choices}
      loading={nodes !== undefined && !isWhole && !subtree.isError}
      now={now}
    />
  )
  return (
    <PageFrame fill toolbar={toolbar}>
      {url.deviceIds.length === 0 ? (
        nodes ? (
          <EmptyState title={t('history.none')} />
        ) : (
          <SelectionGone />
        )
      ) : search.isPending ? (
        <LoadingState />
      ) : search.isError ? (
        <ErrorState error={search.error} onRetry={() => search.refetch()} />
      ) : chosen.length === 0 ? (
        <EmptyState title={t('set.unknownValves', { count: url.deviceIds.length })} />
      ) : (
        <HistoryView
          missing={url.deviceIds.length - chosen.length}
          devices={chosen}
          metrics={url.metrics}
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
