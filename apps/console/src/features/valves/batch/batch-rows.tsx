import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { ErrorState } from '../../../shared/ui/states.tsx'
import type { CommandGroup } from '../commands/command-groups.ts'
import styles from './batch.module.css'
import { batchRowsQuery, ROWS_PAGE_SIZE } from './batch-queries.ts'
import { BatchRow } from './batch-row.tsx'
import { areOutdated } from './outdated-rows.ts'

interface BatchRowsProps {
  readonly batchId: string
  readonly group: CommandGroup | 'all'
  /** Commands in the group. */
  readonly count: number
  /** Whether any command is still open: then the visible rows are also polled. */
  readonly isMoving: boolean
  readonly states: StateLookup
}

const ROW_PX = 36
const POLL_MS = 3_000
/** Up to this many commands, each row shows its steps initially. */
const MAX_OPENED = 5

type Rows = OutputOf<typeof getCtlLog>

const toPage = (index: number): number => Math.floor(index / ROWS_PAGE_SIZE)

/** The commands of a batch. Only visible pages are fetched, only visible rows are rendered. */
export function BatchRows({ batchId, group, count, isMoving, states }: BatchRowsProps) {
  const { t } = useTranslation('valves')
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  })
  const items = virtual.getVirtualItems()
  const first = toPage(items[0]?.index ?? 0)
  const last = toPage(items.at(-1)?.index ?? 0)
  const pages = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, index) => ({
      ...batchRowsQuery(batchId, group, first + index + 1),
      // Polls also after the last command settled, until the rows show it.
      refetchInterval: ({ state: { data } }: { state: { data?: Rows | undefined } }) =>
        (isMoving || (data !== undefined && areOutdated(data, count))) && POLL_MS,
    })),
  })
  const failed = pages.find(({ isError }) => isError)
  if (failed) return <ErrorState error={failed.error} onRetry={() => failed.refetch()} />
  return (
    <div className={styles.rows} ref={scroller} data-testid="batch-rows">
      <div style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const command = pages[toPage(item.index) - first]?.data?.datalist[item.index % ROWS_PAGE_SIZE]
          return (
            <div
              key={command?.id ?? `at-${item.index}`}
              ref={virtual.measureElement}
              data-index={item.index}
              className={styles.place}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {command ? (
                <BatchRow
                  command={command}
                  state={states.get(command.deviceId)}
                  isOpen={count <= MAX_OPENED}
                />
              ) : (
                <div className={styles.absent}>{t('batch.loadingRow')}</div>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
