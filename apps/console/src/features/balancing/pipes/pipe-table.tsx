import type { Pipe } from '@isotherm/contract/endpoints/network/pipes'
import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { DenseTable } from '../../../shared/ui/dense-table.tsx'
import styles from './pipes.module.css'
import { toShortAddress } from './short-address.ts'

interface PipeTableProps {
  readonly pipes: readonly Pipe[]
  readonly depth: number
  readonly onChoose: (pipe: Pipe) => void
}

/** One figure of a pipe, with its unit. */
interface Figure {
  readonly title: string
  readonly unit: string
  readonly write: (pipe: Pipe) => string
}

/** Column widths, px; a phone shows both ends and two figures. */
const PLACE_PX = { wide: 220, narrow: 100 } as const
const FIGURE_PX = { wide: 112, narrow: 70 } as const

export function PipeTable({ pipes, depth, onChoose }: PipeTableProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const isNarrow = useIsMobile()
  const columns = useMemo((): TableColumnsType<Pipe> => {
    const size = isNarrow ? ('narrow' as const) : ('wide' as const)
    const ends = [
      { title: t('pipes.from'), key: 'fromAddr' },
      { title: t('pipes.to'), key: 'toAddr' },
    ] as const
    const figures: readonly Figure[] = [
      { title: t('pipes.length'), unit: 'm', write: ({ record }: Pipe) => format.number(record.lengthM, 1) },
      {
        title: t('pipes.width'),
        unit: 'mm',
        write: ({ record }: Pipe) => format.number(record.innerDiameterMm, 1),
      },
    ]
    const further: readonly Figure[] = [
      {
        title: t('pipes.roughness'),
        unit: 'mm',
        write: ({ record }: Pipe) =>
          record.roughnessMm === null ? '—' : format.number(record.roughnessMm, 3),
      },
      {
        title: t('pipes.year'),
        unit: '',
        write: ({ record }: Pipe) => (record.laidYear === null ? '—' : String(record.laidYear)),
      },
    ]
    const toColumn = ({ title, unit, write }: Figure): TableColumnsType<Pipe>[number] => ({
      width: FIGURE_PX[size],
      align: 'end',
      title: (
        <>
          {title} <small>{unit}</small>
        </>
      ),
      render: (_, pipe) => write(pipe),
    })
    return [
      ...ends.map(({ title, key }): TableColumnsType<Pipe>[number] => ({
        title,
        key,
        width: PLACE_PX[size],
        ellipsis: true,
        // A click anywhere opens the row; the keyboard opens it at the first name.
        render: (_, pipe) =>
          key === 'toAddr' ? (
            toShortAddress(pipe.toAddr, depth)
          ) : (
            <button type="button" className={styles.name}>
              {toShortAddress(pipe.fromAddr, depth)}
            </button>
          ),
      })),
      ...figures.map(toColumn),
      ...(isNarrow
        ? []
        : [
            {
              title: t('pipes.material'),
              key: 'material',
              width: FIGURE_PX.wide,
              render: (_: unknown, { record }: Pipe) => t(`pipes.materials.${record.material}`),
            },
            ...further.map(toColumn),
          ]),
    ]
  }, [depth, format, isNarrow, t])
  const widthPx = columns.reduce((sum, { width }) => sum + Number(width ?? 0), 0)
  return (
    <DenseTable<Pipe>
      rowKey={({ from, to }) => `${from} ${to}`}
      widthPx={widthPx}
      columns={columns}
      dataSource={pipes}
      data-testid="pipes"
      rowClassName={styles.row ?? ''}
      onRow={(pipe) => ({ onClick: () => onChoose(pipe) })}
    />
  )
}
