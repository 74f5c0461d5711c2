import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type HeatScale, toShare } from '../../../shared/section/heat-scale.ts'
import { SectionCell } from '../../../shared/section/section-cell.tsx'
import { type CellMetric, cellDecimals, findCellValue, toCellFill } from '../cell-metric.ts'
import type { BalanceValve } from '../indices/valve-query.ts'

interface ValveCellProps {
  readonly valve: BalanceValve
  readonly metric: CellMetric
  readonly scale: HeatScale | undefined
  readonly isChosen: boolean
  readonly onChoose: (deviceId: number) => void
}

/** One valve in the cross-section, coloured by a metric; hatched if excluded. */
export const ValveCell = memo(function ValveCell(props: ValveCellProps) {
  const { valve, metric, scale, isChosen, onChoose } = props
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const value = findCellValue(valve, metric)
  const text = format.number(value, cellDecimals[metric])
  const title = [
    toWholeAddress(valve.nestaddr),
    `${t(`section.metric.${metric}`)} ${text}`,
    ...(valve.excluded ? [t(`exclusion.${valve.excluded}`)] : []),
  ].join(' · ')
  const isColoured = value !== undefined && scale !== undefined && valve.excluded === undefined
  return (
    <SectionCell
      look={valve.excluded ? 'hatched' : 'plain'}
      fill={isColoured ? toCellFill(toShare(value, scale), metric) : undefined}
      data-testid={`cell-${valve.deviceId}`}
      aria-pressed={isChosen}
      title={title}
      onClick={() => onChoose(valve.deviceId)}
    >
      {text}
    </SectionCell>
  )
})
