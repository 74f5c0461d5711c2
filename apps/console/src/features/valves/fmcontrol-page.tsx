import type { Device } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSelectedNodes } from '../../shared/tree-selection.ts'
import { PageFrame, Panel } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { EmptyState, ErrorState } from '../../shared/ui/states.tsx'
import { CommandLog } from './command-log.tsx'
import styles from './order.module.css'
import { OrderPanel } from './order-panel.tsx'
import { valvesQuery } from './queries.ts'
import { parseControlUrl, toControlSearch } from './url-state.ts'
import { useCommandUpdates } from './use-command-updates.ts'
import { usePageUrl } from './use-page-url.ts'
import { ValvePicker } from './valve-picker.tsx'
import { canControl } from './valve-row.ts'

/** Most commands one order may hold (contract, publishMqCtlCmd). */
const MAX_TARGETS = 1_000
const noDevices: readonly Device[] = []
const noNodes: readonly NodeKey[] = []

/** Valve control: choose, preview, send, follow to the confirmed position; below it the log. */
export default function FmcontrolPage() {
  const { t } = useTranslation('valves')
  const nodes = useSelectedNodes()
  const valves = useQuery({ ...valvesQuery(nodes ?? noNodes), enabled: nodes !== undefined })
  const devices = (nodes && valves.data) ?? noDevices
  const [url, change] = usePageUrl(parseControlUrl, toControlSearch)
  const controllable = useMemo(() => devices.filter(canControl), [devices])
  useCommandUpdates()
  const choose = (deviceIds: readonly number[]) =>
    change({ deviceIds: deviceIds.slice(0, MAX_TARGETS), batch: undefined })
  const loading = nodes !== undefined && valves.isPending
  const mayControl = loading || controllable.length > 0 || devices.length === 0
  return (
    <PageFrame>
      <div className={styles.control}>
        <Panel title={t('set.title')}>
          {valves.isError && <ErrorState error={valves.error} onRetry={() => valves.refetch()} />}
          {mayControl ? (
            <>
              {nodes ? (
                <ValvePicker
                  devices={controllable}
                  chosen={url.deviceIds}
                  max={MAX_TARGETS}
                  loading={loading}
                  onChoose={choose}
                  addAll
                />
              ) : (
                <SelectionGone />
              )}
              {url.deviceIds.length === 0 && url.batch === undefined ? (
                nodes && <EmptyState title={t('pick.valves')} hint={t('pick.none')} />
              ) : (
                <OrderPanel
                  key={url.deviceIds.join()}
                  ids={url.deviceIds}
                  batch={url.batch}
                  onBatch={(batch) => change({ batch }, { push: true })}
                />
              )}
            </>
          ) : (
            <EmptyState title={t('pick.watchOnly')} />
          )}
        </Panel>
        <Panel title={t('log.title')}>
          {nodes ? (
            <CommandLog nodes={nodes} page={url.page} onPage={(page) => change({ page })} />
          ) : (
            <EmptyState title={t('selection.gone', { ns: 'common' })} />
          )}
        </Panel>
      </div>
    </PageFrame>
  )
}
