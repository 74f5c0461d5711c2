import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Segmented } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { useSelectedNodes } from '../../shared/tree-selection.ts'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.tsx'
import { usePageUrl } from '../../shared/use-page-url.ts'
import { ExportButton } from './export/export-button.tsx'
import { historyMetrics } from './history-metrics.ts'
import { HistoryView } from './history-view.tsx'
import { ValvePicker } from './order/valve-picker.tsx'
import { valvesQuery } from './queries.ts'
import { RangeBar } from './range-bar.tsx'
import { historyViews, MAX_COMPARED, parseHistoryUrl, toHistorySearch } from './url-state.ts'
import { useCommandUpdates } from './use-command-updates.ts'
import { useDevicesById } from './use-devices-by-id.ts'
import styles from './valves.module.css'

const noDevices: readonly Device[] = []
const noNodes: readonly NodeKey[] = []

/** Valve history: curves of one valve or a few, following now or standing, with the commands marked. */
export default function FmhistoryPage() {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const now = useNow()
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(parseHistoryUrl, toHistorySearch)
  const subtree = useQuery({ ...valvesQuery(nodes ?? noNodes), enabled: nodes !== undefined })
  const { found: chosen, query: search } = useDevicesById(url.deviceIds, nodes)
  useCommandUpdates()
  // What is chosen stays among the choices, also when the tree has moved on to another subtree.
  const choices = useMemo(() => {
    const inside = (nodes && subtree.data) ?? noDevices
    return [...chosen.filter((device) => !inside.some(({ id }) => id === device.id)), ...inside]
  }, [nodes, subtree.data, chosen])
  const toolbar = (
    <div className={styles.toolbar}>
      <ValvePicker
        devices={choices}
        chosen={url.deviceIds}
        max={MAX_COMPARED}
        loading={nodes !== undefined && subtree.isPending}
        onChoose={(deviceIds) => change({ deviceIds: deviceIds.slice(0, MAX_COMPARED) }, { push: true })}
      />
      <RangeBar range={url.range} now={now} onRange={(range) => change({ range }, { push: true })} />
      <Segmented
        value={url.view}
        options={historyViews.map((view) => ({ value: view, label: t(`history.${view}`) }))}
        onChange={(view) => change({ view })}
      />
      {url.view === 'chart' && (
        <Checkbox
          checked={url.compare}
          data-testid="compare-year"
          onChange={(event) => change({ compare: event.target.checked })}
        >
          {t('history.compare.action')}
        </Checkbox>
      )}
      <ExportButton deviceIds={url.deviceIds} nodes={nodes} metrics={url.metrics} range={url.range} />
      <Checkbox.Group
        aria-label={t('history.metrics')}
        value={[...url.metrics]}
        options={historyMetrics.map((metric) => ({ value: metric, label: format.metricName(metric) }))}
        onChange={(checked) => {
          const metrics = historyMetrics.filter((metric) => checked.includes(metric))
          if (metrics.length > 0) change({ metrics })
        }}
      />
    </div>
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
