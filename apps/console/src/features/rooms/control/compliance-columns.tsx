import type { RoomCompliance } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'

/** Columns of the compliance of rooms. */
export function useComplianceColumns(): readonly RecordColumn<RoomCompliance>[] {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const right = { align: 'end' as const }
  const toDays = ({ coldDays, days }: RoomCompliance) => `${coldDays} / ${days}`
  const toHours = ({ coldHours, hours }: RoomCompliance) => `${coldHours} / ${hours}`
  const toArea = ({ areaM2 }: RoomCompliance) => format.number(areaM2, 1)
  return [
    {
      key: 'place',
      title: t('column.place'),
      widthPx: 250,
      render: ({ device }) => (
        <span title={toWholeAddress(device.nestaddr)}>{toCompactAddress(device.nestaddr)}</span>
      ),
      text: ({ device }) => toWholeAddress(device.nestaddr),
    },
    {
      ...right,
      key: 'mean',
      title: t('compliance.mean'),
      widthPx: 110,
      value: ({ meanC }) => meanC,
      render: ({ meanC }) => format.metricValue('temp.room', meanC),
    },
    {
      ...right,
      key: 'coldHours',
      title: t('compliance.coldHours'),
      widthPx: 145,
      render: toHours,
      text: toHours,
    },
    {
      ...right,
      key: 'degreeHours',
      title: t('compliance.degreeHours'),
      widthPx: 165,
      value: ({ degreeHours }) => degreeHours,
      render: ({ degreeHours }) => format.number(degreeHours, 1),
    },
    {
      ...right,
      key: 'coldDays',
      title: t('compliance.coldDays'),
      widthPx: 140,
      render: toDays,
      text: toDays,
    },
    {
      ...right,
      key: 'refundDays',
      title: t('compliance.refundDays'),
      widthPx: 150,
      render: ({ refundDays }) => format.number(refundDays, 2),
      text: ({ refundDays }) => String(refundDays),
    },
    {
      ...right,
      key: 'refund',
      title: t('compliance.refundYuan'),
      widthPx: 125,
      value: ({ refundYuan }) => refundYuan ?? '',
      render: ({ refundYuan }) => format.number(refundYuan, 2),
    },
    { ...right, key: 'area', title: t('compliance.area'), widthPx: 85, render: toArea, text: toArea },
  ]
}
