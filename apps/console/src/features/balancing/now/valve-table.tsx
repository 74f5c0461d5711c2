import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { AddressButton } from '../../../shared/inputs/address-button.tsx'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { DenseTable } from '../../../shared/ui/dense-table.tsx'
import { listenForSort, type TableSort, toSortable } from '../../../shared/ui/table-sort.ts'
import { type BalanceValve, type ValveSort, valveSorts } from '../indices/valve-query.ts'
import styles from './valves.module.css'

interface ValveTableProps extends TableSort<ValveSort> {
  readonly valves: readonly BalanceValve[]
  readonly onSort: (sort: ValveSort, descending: boolean) => void
  readonly chosen: number | undefined
  readonly onChoose: (deviceId: number) => void
}

/** Column widths, px; a phone shows the place and three figures. */
const PLACE_PX = { wide: 260, narrow: 132 } as const
const FIGURE_PX = { wide: 112, narrow: 66 } as const
const STATE_PX = 180

/** One figure of a valve with its column. */
interface Figure {
  readonly key: Exclude<ValveSort, 'place'>
  readonly unit: string
  readonly write: (valve: BalanceValve) => string
}

/** Virtual list; only visible rows are in the document. */
export function ValveTable(props: ValveTableProps) {
  const { valves, chosen, onChoose, onSort } = props
  const isNarrow = useIsMobile()
  const { columns, widthPx } = useColumns(props, isNarrow)
  return (
    <DenseTable<BalanceValve>
      rowKey="deviceId"
      widthPx={widthPx}
      columns={columns}
      dataSource={valves}
      onChange={listenForSort(valveSorts, 'place', onSort)}
      showSorterTooltip={false}
      data-testid="balance-valves"
      rowClassName={({ deviceId, excluded }) =>
        [styles.row, deviceId === chosen && styles.chosen, excluded && styles.excluded]
          .filter(Boolean)
          .join(' ')
      }
      onRow={({ deviceId }) => ({ onClick: () => onChoose(deviceId) })}
    />
  )
}

const toSign = (deviationK: number | undefined): string =>
  deviationK === undefined || Math.abs(deviationK) <= 1 ? '' : deviationK > 0 ? 'warm' : 'cold'

function useColumns({ sort, descending, onChoose }: ValveTableProps, isNarrow: boolean) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return useMemo(() => {
    const size = isNarrow ? ('narrow' as const) : ('wide' as const)
    const sortable = (key: ValveSort) => toSortable(key, { sort, descending })
    const figures: readonly Figure[] = [
      {
        key: 'deviation',
        unit: 'K',
        write: ({ deviationK }) => {
          const text = format.number(deviationK, 2)
          return deviationK !== undefined && deviationK > 0 ? `+${text}` : text
        },
      },
      {
        key: 'opening',
        unit: '%',
        write: ({ openingPct }) => format.metricValue('valve.opening', openingPct),
      },
      { key: 'return', unit: '°C', write: ({ returnC }) => format.metricValue('temp.return', returnC) },
      { key: 'supply', unit: '°C', write: ({ supplyC }) => format.metricValue('temp.supply', supplyC) },
      { key: 'flow', unit: 'm³/h', write: ({ flowM3H }) => format.number(flowM3H, 3) },
      { key: 'room', unit: '°C', write: ({ roomC }) => format.metricValue('temp.room', roomC) },
    ]
    const shown = isNarrow ? figures.slice(0, 3) : figures
    const columns: TableColumnsType<BalanceValve> = [
      {
        title: t('valve.place'),
        width: PLACE_PX[size],
        ellipsis: true,
        ...sortable('place'),
        render: (_, { deviceId, nestaddr, excluded }) => (
          <AddressButton
            nestaddr={nestaddr}
            title={[toWholeAddress(nestaddr), excluded && t(`exclusion.${excluded}`)]
              .filter(Boolean)
              .join(' · ')}
            onClick={(event) => {
              event.stopPropagation()
              onChoose(deviceId)
            }}
          />
        ),
      },
      ...shown.map(({ key, unit, write }): TableColumnsType<BalanceValve>[number] => ({
        width: FIGURE_PX[size],
        align: 'end',
        ...sortable(key),
        title: (
          <span className={isNarrow ? styles.narrow : undefined}>
            {t(isNarrow ? `valve.short.${key}` : `valve.${key}`)} <small>{unit}</small>
          </span>
        ),
        render: (_, valve) => (
          <span data-off={key === 'deviation' ? toSign(valve.deviationK) : undefined}>{write(valve)}</span>
        ),
      })),
      ...(isNarrow
        ? []
        : [
            {
              title: t('valve.state'),
              key: 'state',
              width: STATE_PX,
              ellipsis: true,
              render: (_: unknown, { excluded }: BalanceValve) =>
                excluded ? t(`exclusion.${excluded}`) : t('valve.included'),
            },
          ]),
    ]
    const widthPx = PLACE_PX[size] + shown.length * FIGURE_PX[size] + (isNarrow ? 0 : STATE_PX)
    return { columns, widthPx }
  }, [t, format, sort, descending, onChoose, isNarrow])
}
