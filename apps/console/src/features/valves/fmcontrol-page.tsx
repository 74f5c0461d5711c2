import { SafetyOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { PageFrame, Panel } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { EmptyState, ErrorState } from '../../shared/ui/states.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { useBatchUpdates } from './batch/use-batch-updates.ts'
import { useCommandUpdates } from './commands/use-command-updates.ts'
import styles from './control.module.css'
import { ControlLists } from './control-lists.tsx'
import { parseControlUrl, toControlSearch } from './control-url.ts'
import { useHoldUpdates } from './holds/use-holds.ts'
import { LimitsDrawer } from './limits/limits-drawer.tsx'
import { OrderPanel } from './order/order-panel.tsx'
import { canControl } from './rows/valve-row.ts'
import { MAX_CHOSEN } from './selection/id-list.ts'
import { noValves } from './selection/list-valves.ts'
import { ValvePicker } from './selection/valve-picker.tsx'
import { valvesQuery } from './selection/valves-query.ts'

const noNodes: readonly NodeKey[] = []

/** Valve control: choose valves, preview, send and watch the progress; below it the batches, the log and the holds. */
export default function FmcontrolPage() {
  const { t } = useTranslation('valves')
  const nodes = useSelectedNodes()
  const valves = useQuery({ ...valvesQuery(nodes ?? noNodes), enabled: nodes !== undefined })
  const { devices, isWhole } = (nodes && valves.data) ?? noValves
  const [url, change] = usePageUrl(parseControlUrl, toControlSearch)
  const controllable = useMemo(() => devices.filter(canControl), [devices])
  const controllableIds = useMemo(() => new Set(controllable.map(({ id }) => id)), [controllable])
  useCommandUpdates()
  useBatchUpdates()
  useHoldUpdates()
  const choose = (deviceIds: readonly number[]) =>
    change({ deviceIds: deviceIds.slice(0, MAX_CHOSEN), batch: undefined })
  const loading = nodes !== undefined && !isWhole && !valves.isError
  const mayControl = loading || controllable.length > 0 || devices.length === 0
  const isIdle = url.deviceIds.length === 0 && url.batch === undefined
  return (
    <PageFrame>
      <div className={styles.control}>
        <Panel
          title={t('set.title')}
          extra={
            <Button
              size="small"
              icon={<SafetyOutlined />}
              data-testid="open-limits"
              onClick={() => change({ limits: true })}
            >
              {t('limits.title')}
            </Button>
          }
        >
          {valves.isError && <ErrorState error={valves.error} onRetry={() => valves.refetch()} />}
          {nodes && mayControl && (
            <ValvePicker
              devices={controllable}
              chosen={url.deviceIds}
              max={MAX_CHOSEN}
              loading={loading}
              onChoose={choose}
              addAll
            />
          )}
          {!nodes && <SelectionGone />}
          {nodes && isIdle && mayControl && <EmptyState title={t('pick.valves')} hint={t('pick.none')} />}
          {isIdle && !mayControl && <EmptyState title={t('pick.watchOnly')} />}
          {!isIdle && (
            <OrderPanel
              key={url.deviceIds.join()}
              ids={url.deviceIds}
              batch={url.batch}
              nodes={nodes}
              onBatch={(batch) => change({ batch }, { push: true })}
            />
          )}
        </Panel>
        <ControlLists
          nodes={nodes}
          controllable={controllableIds}
          list={url.list}
          page={url.page}
          onList={change}
          onBatch={(batch) => change({ batch, deviceIds: [] }, { push: true })}
        />
      </div>
      <LimitsDrawer isWanted={url.limits} onClose={() => change({ limits: false })} />
    </PageFrame>
  )
}
