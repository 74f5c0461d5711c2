import { CheckCircleOutlined, ClockCircleOutlined, WarningOutlined } from '@ant-design/icons'
import { type RoomVisit, VISIT_WITHIN_H } from '@isotherm/contract/rooms/room-visit'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { Badge } from '../../../shared/ui/badge.tsx'

/** Whole hours until the deadline of a visit; negative after it. */
export const toHoursLeft = ({ requestedAt }: Pick<RoomVisit, 'requestedAt'>, now: number): number =>
  Math.floor((requestedAt + VISIT_WITHIN_H * HOUR_MS - now) / HOUR_MS)

/** Clock of an open visit, or whether the measurement was in time. */
export function VisitClock({ visit }: { readonly visit: RoomVisit }) {
  const { t } = useTranslation('rooms')
  const now = useNow(60)
  const { result } = visit
  const left = toHoursLeft(visit, result?.measuredAt ?? now)
  if (result)
    return left >= 0 ? (
      <Badge tone="good" icon={<CheckCircleOutlined />}>
        {t('visit.inTime')}
      </Badge>
    ) : (
      <Badge tone="caution" icon={<WarningOutlined />}>
        {t('visit.tooLate')}
      </Badge>
    )
  return left >= 0 ? (
    <Badge tone="accent" icon={<ClockCircleOutlined />}>
      {t('visit.left', { hours: left })}
    </Badge>
  ) : (
    <Badge tone="alarm" icon={<WarningOutlined />}>
      {t('visit.overdue', { hours: -left })}
    </Badge>
  )
}

/** Columns of the list of visits. */
export function useVisitColumns(): readonly RecordColumn<RoomVisit>[] {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const right = { align: 'end' as const }
  const toMeasured = ({ result }: RoomVisit) => format.metricValue('temp.room', result?.measuredC)
  const toSensor = ({ sensorC }: RoomVisit) => format.metricValue('temp.room', sensorC)
  return [
    {
      key: 'place',
      title: t('column.place'),
      widthPx: 250,
      render: ({ nestaddr }) => <span title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</span>,
      text: ({ nestaddr }) => toWholeAddress(nestaddr),
    },
    {
      key: 'requested',
      title: t('visit.requestedAt'),
      widthPx: 160,
      render: ({ requestedAt }) => format.instant(requestedAt),
      text: ({ requestedAt }) => format.instant(requestedAt),
    },
    {
      key: 'clock',
      title: t('visit.clock'),
      widthPx: 130,
      render: (visit) => <VisitClock visit={visit} />,
      text: ({ result }) => t(result ? 'visit.state.done' : 'visit.state.open'),
    },
    {
      key: 'resident',
      title: t('visit.resident'),
      widthPx: 150,
      render: ({ resident, phone }) => `${resident} ${phone}`,
      text: ({ resident, phone }) => `${resident} ${phone}`,
    },
    {
      key: 'complaint',
      title: t('visit.complaint'),
      widthPx: 200,
      render: ({ complaint }) => <span title={complaint}>{complaint}</span>,
      text: ({ complaint }) => complaint,
    },
    {
      ...right,
      key: 'measured',
      title: t('visit.measuredC'),
      widthPx: 120,
      render: toMeasured,
      text: toMeasured,
    },
    { ...right, key: 'sensor', title: t('visit.sensorC'), widthPx: 120, render: toSensor, text: toSensor },
  ]
}
