import type { ValveHold } from '@isotherm/contract/command'
import type { NodeKey } from '@isotherm/contract/tree'
import type { TableColumnsType } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toHeldText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ReleaseButton } from '../../../shared/order/release-button.tsx'
import { LIST_POLL_MS } from '../commands/command-queries.ts'
import { useActorColumns, useValveColumn } from '../lists/list-columns.tsx'
import { PagedTable } from '../lists/paged-table.tsx'
import text from '../lists/text.module.css'
import { HoldBadge } from './hold-badge.tsx'
import { HoldCard } from './hold-card.tsx'
import { holdKeys } from './hold-queries.ts'
import styles from './holds.module.css'
import { useHolds } from './use-holds.ts'

interface HoldListProps {
  readonly nodes: readonly NodeKey[]
  /** Ids of the valves that the user may control. Holds of other valves are read-only. */
  readonly controllable: ReadonlySet<number>
}

const WIDTH_PX = 900
const PAGE_SIZE = 20

/**
 * The holds below the selected nodes, in order of their end. A hold is a held opening with an expiry and a priority.
 * Chosen holds are released together.
 */
export function HoldList({ nodes, controllable }: HoldListProps) {
  const { t } = useTranslation('valves')
  const { query, holdOf } = useHolds(nodes, LIST_POLL_MS)
  const columns = useHoldColumns()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const holds = useMemo(() => [...holdOf.values()], [holdOf])
  const releasable = useMemo(() => {
    const wanted = new Set(chosen)
    return holds.filter(({ id }) => wanted.has(id))
  }, [holds, chosen])
  const chosenIds = releasable.map(({ id }) => id)
  const mayRelease = holds.some(({ deviceId }) => controllable.has(deviceId))
  return (
    <div className={styles.list}>
      <PagedTable
        rows={{
          data: query.data && { datalist: holds, total: holds.length },
          error: query.error,
          refetch: query.refetch,
        }}
        empty={{ title: t('hold.none'), hint: t('hold.noneHint') }}
        head={
          mayRelease && (
            <div className={styles.head}>
              <ReleaseButton holds={releasable} queryKey={holdKeys.all} onReleased={() => setChosen([])} />
              <span className={text.hint}>{t('hold.choose')}</span>
            </div>
          )
        }
        columns={columns}
        widthPx={WIDTH_PX}
        toCard={(hold) => (
          <HoldCard
            hold={hold}
            isChosen={chosenIds.includes(hold.id)}
            onChoose={
              controllable.has(hold.deviceId)
                ? (isChosen) =>
                    setChosen((ids) => (isChosen ? [...ids, hold.id] : ids.filter((id) => id !== hold.id)))
                : undefined
            }
          />
        )}
        testId="hold-list"
        pageSize={PAGE_SIZE}
        {...(mayRelease && {
          rowSelection: {
            selectedRowKeys: chosenIds,
            onChange: (keys) => setChosen(keys.map(Number)),
            getCheckboxProps: ({ deviceId }: ValveHold) => ({ disabled: !controllable.has(deviceId) }),
          },
        })}
      />
    </div>
  )
}

function useHoldColumns(): TableColumnsType<ValveHold> {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const valveColumn = useValveColumn<ValveHold>()
  const actorColumns = useActorColumns<ValveHold>()
  return useMemo(
    () => [
      valveColumn,
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
        render: (_, hold) => toHeldText(format, hold),
      },
      {
        title: t('hold.until'),
        width: 168,
        key: 'until',
        render: (_, { until }) => format.instant(until),
      },
      ...actorColumns,
    ],
    [t, format, valveColumn, actorColumns],
  )
}
