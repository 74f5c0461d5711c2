import { CaretDownFilled, CaretUpFilled } from '@ant-design/icons'
import { metrics } from '@isotherm/contract/metrics'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Checkbox } from 'antd'
import { useCallback, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, metricOfColumn, type SortKey } from './row-query.ts'
import styles from './valve-list.module.css'
import { canControl, toTrust, type ValveRow } from './valve-row.ts'
import { ValveTableRow } from './valve-table-row.tsx'

/** Width of each column; the address takes what is left. All fit beside the tree on a screen of 1,440 px. */
const widths: Readonly<Record<Column, string>> = {
  opening: '94px',
  target: '50px',
  supply: '68px',
  return: '68px',
  flow: '72px',
  pressure: '60px',
  battery: '66px',
  signal: '74px',
  age: '78px',
  hold: '84px',
  state: '100px',
}
/** A picture and the longest words of its button. */
const ACTIONS_WIDTH = '124px'
const ROW_PX = 30

export interface ValveTableProps {
  readonly rows: readonly ValveRow[]
  /** What is known by now of a row. */
  readonly toPresent: (row: ValveRow) => ValveRow
  readonly columns: readonly Column[]
  readonly sort: SortKey
  readonly descending: boolean
  readonly onSort: (sort: SortKey) => void
  readonly selected: ReadonlySet<number>
  readonly onSelect: (ids: readonly number[], selected: boolean) => void
  readonly onSet: (deviceId: number) => void
  /** Shows all that is known of one. */
  readonly onLook: (deviceId: number) => void
  readonly onHistory: ((deviceId: number) => void) | undefined
  /** False for who may only watch: then nothing of control is shown. */
  readonly controllable: boolean
  /** Unix ms. */
  readonly now: number
}

/** The live table. Only the rows in sight exist, and of those only the ones that changed render. */
export function ValveTable(props: ValveTableProps) {
  const { rows, columns, selected, controllable } = props
  const { t } = useTranslation('valves')
  const scroller = useRef<HTMLDivElement>(null)
  // Another function would have all rows measured anew at every render.
  const getItemKey = useCallback((index: number) => rows[index]?.device.id ?? index, [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey,
  })
  const tracks = [
    ...(controllable ? ['34px'] : []),
    'minmax(140px, 1fr)',
    ...columns.map((column) => widths[column]),
    ACTIONS_WIDTH,
  ]
  const template = tracks.join(' ')
  const choosable = useMemo(
    () => rows.flatMap(({ device }) => (canControl(device) ? [device.id] : [])),
    [rows],
  )
  const chosen = choosable.filter((id) => selected.has(id)).length
  const isAll = chosen > 0 && chosen === choosable.length
  return (
    <div className={styles.table} ref={scroller}>
      <table aria-label={t('table.label')} aria-rowcount={rows.length}>
        <thead>
          <tr className={styles.head} style={{ gridTemplateColumns: template }}>
            {controllable && (
              <th scope="col">
                <Checkbox
                  checked={isAll}
                  indeterminate={!isAll && chosen > 0}
                  aria-label={t('table.selectAll')}
                  onChange={(event) => props.onSelect(choosable, event.target.checked)}
                />
              </th>
            )}
            <HeadCell {...props} column="address" />
            {columns.map((column) => (
              <HeadCell key={column} {...props} column={column} />
            ))}
            <td className={styles.ends} />
          </tr>
        </thead>
        <tbody className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const listed = rows[item.index]
            if (!listed) return null
            const row = props.toPresent(listed)
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
                onLook={props.onLook}
                onHistory={props.onHistory}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const unitOf = (column: Column | 'address'): string | undefined => {
  const metric = Object.entries(metricOfColumn).find(([name]) => name === column)?.[1]
  return metric && metrics[metric].unit
}

function HeadCell({
  column,
  sort,
  descending,
  onSort,
}: ValveTableProps & { readonly column: Column | 'address' }) {
  const { t } = useTranslation('valves')
  const label = t(`column.${column}`)
  const unit = unitOf(column)
  const active = column === sort
  if (column === 'state') return <th scope="col">{label}</th>
  return (
    <th
      scope="col"
      aria-sort={active ? (descending ? 'descending' : 'ascending') : 'none'}
      data-column={column}
    >
      <button
        type="button"
        className={`bare ${styles.sort}`}
        title={t('table.sortBy', { column: label })}
        onClick={() => onSort(column)}
      >
        {label}
        {unit && <small>{unit}</small>}
        {active && (descending ? <CaretDownFilled aria-hidden /> : <CaretUpFilled aria-hidden />)}
      </button>
    </th>
  )
}
