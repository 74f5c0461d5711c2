import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toTrust } from '../../../shared/devices/device-trust.ts'
import { useMeasuredWidth } from '../../../shared/screen/use-measured-width.ts'
import type { Column, SortKey } from '../rows/row-query.ts'
import type { ValveRow } from '../rows/valve-row.ts'
import styles from './valve-list.module.css'
import { ValveTableHead } from './valve-table-head.tsx'
import { ValveTableRow } from './valve-table-row.tsx'

/** Column widths, px; the address takes the rest. All columns fit beside the tree on a screen of 1,440 px. */
const widths: Readonly<Record<Column, number>> = {
  opening: 94,
  target: 50,
  supply: 68,
  return: 68,
  flow: 72,
  pressure: 60,
  battery: 66,
  signal: 74,
  age: 78,
  hold: 84,
  state: 100,
}
const CHECK_PX = 34
const MIN_ADDRESS_PX = 140
/** Fits an icon and the longest button text. */
const ACTIONS_PX = 124
const ROW_PX = 30

const toPx = (width: number): string => `${width}px`

export interface ValveTableProps {
  readonly rows: readonly ValveRow[]
  /** The row with the newest values. */
  readonly toCurrentRow: (row: ValveRow) => ValveRow
  readonly columns: readonly Column[]
  readonly sort: SortKey
  readonly descending: boolean
  readonly onSort: (sort: SortKey) => void
  readonly selected: ReadonlySet<number>
  readonly onSelect: (ids: readonly number[], selected: boolean) => void
  readonly onSet: (deviceId: number) => void
  /** Opens the details of a valve. */
  readonly onDetails: (deviceId: number) => void
  readonly onHistory: ((deviceId: number) => void) | undefined
  /** False if the user may not control any valve: then no controls are shown. */
  readonly controllable: boolean
  /** Unix ms. */
  readonly now: number
}

/** The live table. Renders only the visible rows, and renders a row again only if it changed. */
export function ValveTable(props: ValveTableProps) {
  const { rows, columns, selected, controllable } = props
  const { t } = useTranslation('valves')
  const scroller = useRef<HTMLDivElement>(null)
  const [measure, widthPx] = useMeasuredWidth()
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element
      return measure(element)
    },
    [measure],
  )
  // A new function would measure all rows again at every render.
  const getItemKey = useCallback((index: number) => rows[index]?.device.id ?? index, [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey,
  })
  const fixed = columns.map((column) => widths[column])
  const before = controllable ? [CHECK_PX] : []
  const template = [
    ...before.map(toPx),
    `minmax(${MIN_ADDRESS_PX}px, 1fr)`,
    ...[...fixed, ACTIONS_PX].map(toPx),
  ].join(' ')
  const minWidthPx = [...before, MIN_ADDRESS_PX, ...fixed, ACTIONS_PX].reduce((sum, px) => sum + px, 0)
  return (
    <div className={styles.table} ref={attach} data-wide={widthPx < minWidthPx || undefined}>
      <table aria-label={t('table.label')} aria-rowcount={rows.length}>
        <ValveTableHead
          rows={rows}
          columns={columns}
          template={template}
          sort={props.sort}
          descending={props.descending}
          onSort={props.onSort}
          selected={selected}
          onSelect={props.onSelect}
          controllable={controllable}
        />
        <tbody className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const listed = rows[item.index]
            if (!listed) return null
            const row = props.toCurrentRow(listed)
            return (
              <ValveTableRow
                key={item.key}
                device={row.device}
                state={row.state}
                command={row.command}
                hold={row.hold}
                trust={toTrust(row.device, row.state, props.now)}
                columns={columns}
                template={template}
                top={item.start}
                height={ROW_PX}
                selected={selected.has(row.device.id)}
                controllable={controllable}
                onSelect={props.onSelect}
                onSet={props.onSet}
                onDetails={props.onDetails}
                onHistory={props.onHistory}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
