import type { ValveHold } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import { Table, type TableColumnsType } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import styles from '../order/order.module.css'
import { LIST_ASK_MS } from '../queries.ts'
import { HoldBadge } from './hold-badge.tsx'
import { ReleaseButton } from './release-button.tsx'
import { useHolds } from './use-holds.ts'

interface HoldListProps {
  readonly nodes: readonly NodeKey[]
  /** Valves the caller may control, as the server said: of others a hold is only shown. */
  readonly controllable: ReadonlySet<number>
}

const WIDTH_PX = 900
const PAGE_SIZE = 20

/** The holds below the selected nodes, those that end first first; chosen ones are released together. */
export function HoldList({ nodes, controllable }: HoldListProps) {
  const { t } = useTranslation('valves')
  const { query, holdOf } = useHolds(nodes, LIST_ASK_MS)
  const columns = useHoldColumns()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const holds = useMemo(() => [...holdOf.values()], [holdOf])
  const releasable = useMemo(() => {
    const wanted = new Set(chosen)
    return holds.filter(({ id }) => wanted.has(id)).map(({ id }) => id)
  }, [holds, chosen])
  if (query.isPending) return <LoadingState />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />
  if (holds.length === 0) return <EmptyState title={t('hold.none')} hint={t('hold.noneHint')} />
  const mayRelease = holds.some(({ deviceId }) => controllable.has(deviceId))
  return (
    <div className={styles.control}>
      {mayRelease && (
        <div className={styles.field}>
          <ReleaseButton ids={releasable} onReleased={() => setChosen([])} />
          <span className={styles.hint}>{t('hold.choose')}</span>
        </div>
      )}
      <Table<ValveHold>
        size="small"
        rowKey="id"
        columns={columns}
        dataSource={holds}
        scroll={{ x: WIDTH_PX }}
        data-testid="hold-list"
        {...(mayRelease && {
          rowSelection: {
            selectedRowKeys: releasable,
            onChange: (keys) => setChosen(keys.map(Number)),
            getCheckboxProps: ({ deviceId }) => ({ disabled: !controllable.has(deviceId) }),
          },
        })}
        pagination={{
          pageSize: PAGE_SIZE,
          showSizeChanger: false,
          showTotal: (total) => t('log.total', { total }),
        }}
      />
    </div>
  )
}

function useHoldColumns(): TableColumnsType<ValveHold> {
  const { t } = useTranslation('valves')
  const format = useFormat()
  return useMemo(
    () => [
      {
        title: t('log.valve'),
        key: 'valve',
        render: (_, { nestaddr }) => (
          <span title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</span>
        ),
      },
      {
        title: t('hold.label'),
        width: 120,
        key: 'priority',
        render: (_, hold) => <HoldBadge hold={hold} />,
      },
      {
        title: t('column.opening'),
        width: 70,
        key: 'opening',
        render: (_, { openingPct }) => format.metric('valve.opening', openingPct),
      },
      {
        title: t('hold.until'),
        width: 168,
        key: 'until',
        render: (_, { until }) => format.instant(until),
      },
      { title: t('log.actor'), width: 110, dataIndex: 'actor', key: 'actor' },
      { title: t('log.reason'), dataIndex: 'reason', key: 'reason', ellipsis: true },
    ],
    [t, format],
  )
}
