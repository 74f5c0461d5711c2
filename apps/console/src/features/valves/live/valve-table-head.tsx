import { CaretDownFilled, CaretUpFilled } from '@ant-design/icons'
import { metrics } from '@isotherm/contract/metrics'
import { Checkbox } from 'antd'
import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, metricOfColumn } from '../rows/row-query.ts'
import { canControl } from '../rows/valve-row.ts'
import styles from './valve-list.module.css'
import type { ValveTableProps } from './valve-table.tsx'

type SortProps = Pick<ValveTableProps, 'sort' | 'descending' | 'onSort'>

interface HeadProps
  extends SortProps,
    Pick<ValveTableProps, 'rows' | 'columns' | 'selected' | 'onSelect' | 'controllable'> {
  readonly template: string
}

/** The sticky head of the live table: column names that sort, and the checkbox for all rows. */
export const ValveTableHead = memo(function ValveTableHead(props: HeadProps) {
  const { rows, columns, template, selected, onSelect, controllable, ...sorting } = props
  const { t } = useTranslation('valves')
  const choosable = useMemo(
    () => rows.flatMap(({ device }) => (canControl(device) ? [device.id] : [])),
    [rows],
  )
  const chosen = choosable.filter((id) => selected.has(id)).length
  const isAll = chosen > 0 && chosen === choosable.length
  return (
    <thead>
      <tr className={styles.head} style={{ gridTemplateColumns: template }}>
        {controllable && (
          <th scope="col">
            <Checkbox
              checked={isAll}
              indeterminate={!isAll && chosen > 0}
              aria-label={t('table.selectAll')}
              onChange={(event) => onSelect(choosable, event.target.checked)}
            />
          </th>
        )}
        <HeadCell {...sorting} column="address" />
        {columns.map((column) => (
          <HeadCell key={column} {...sorting} column={column} />
        ))}
        <td className={styles.ends} />
      </tr>
    </thead>
  )
})

const unitOf = (column: Column | 'address'): string | undefined => {
  const metric = Object.entries(metricOfColumn).find(([name]) => name === column)?.[1]
  return metric && metrics[metric].unit
}

function HeadCell({ column, sort, descending, onSort }: SortProps & { readonly column: Column | 'address' }) {
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
