import { CalculatorOutlined, CheckCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import { isStale } from '@isotherm/contract/devices'
import type { MeterRow } from '@isotherm/contract/endpoints/monitoring/meters'
import { DOUBTFUL_QUALITY } from '@isotherm/contract/metrics'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../shared/format/address.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useNow } from '../../shared/format/use-now.ts'
import type { RecordColumn } from '../../shared/records/record-column.ts'
import { AgeBadge, Badge } from '../../shared/ui/badge.tsx'
import type { HeatUnit } from './heat-unit.ts'
import { toUnit } from './heat-unit.ts'
import styles from './meters.module.css'
import { useHeatText } from './use-heat-text.ts'

interface ColumnOptions {
  readonly unit: HeatUnit
  /** Whether the nodes can have meters below. */
  readonly isAbove: boolean
  readonly degreeDays: number | undefined
}

/** Heat of a row: that of its own meter, else of those below it. */
export const heatOf = ({ meter, below }: MeterRow): number | undefined =>
  meter?.counted?.heatKwh ?? (meter || !below?.contributing ? undefined : below.heatKwh)

/** Heat per m², and per degree-day; undefined if a part is not known. */
export function perArea({ areaM2, ...row }: MeterRow, degreeDays = 1): number | undefined {
  const heat = heatOf({ areaM2, ...row })
  return heat === undefined || areaM2 === undefined || !(degreeDays > 0)
    ? undefined
    : heat / areaM2 / degreeDays
}

function HeatCell({ row, unit }: { readonly row: MeterRow; readonly unit: HeatUnit }) {
  const { t } = useTranslation('meters')
  const text = useHeatText(unit)
  const { meter, below } = row
  const heat = heatOf(row)
  if (heat === undefined) return <span className={styles.none}>{t(meter ? 'noReading' : 'noMeter')}</span>
  const counted = meter?.counted
  const estimated = counted?.estimatedKwh ?? below?.estimatedKwh ?? 0
  const hasMark = estimated > 0 || (counted !== undefined && counted.highKwh > counted.lowKwh)
  return (
    <span className={styles.heat}>
      {hasMark && (
        <Badge
          tone="caution"
          icon={<CalculatorOutlined />}
          {...(counted && {
            title: t('bounds', { low: text.heat(counted.lowKwh), high: text.heat(counted.highKwh) }),
          })}
        >
          {t('estimated', { heat: text.heat(estimated) })}
        </Badge>
      )}
      {text.value(heat)}
    </span>
  )
}

function FindingsCell({ meter }: { readonly meter: MeterRow['meter'] }) {
  const { t } = useTranslation('meters')
  if (!meter) return null
  const { openFindings, events } = meter
  return (
    <span className={styles.marks}>
      {openFindings > 0 ? (
        <Badge tone="caution" icon={<ExclamationCircleOutlined />}>
          {t('findings', { count: openFindings })}
        </Badge>
      ) : (
        <Badge tone="good" icon={<CheckCircleOutlined />}>
          {t('noFindings')}
        </Badge>
      )}
      {events > 0 && <span className={styles.none}>{t('events', { count: events })}</span>}
    </span>
  )
}

function NewestAge({ meter }: { readonly meter: MeterRow['meter'] }) {
  const now = useNow(10)
  if (!meter) return null
  const at = meter.newest?.at
  return <AgeBadge ts={at} now={now} stale={at === undefined || isStale(at, meter.periodS, now)} />
}

/** Columns of the list of meters. */
export function useMeterColumns({
  unit,
  isAbove,
  degreeDays,
}: ColumnOptions): readonly RecordColumn<MeterRow>[] {
  const { t } = useTranslation('meters')
  const format = useFormat()
  const text = useHeatText(unit)
  const right = { align: 'end' as const }
  const lost = ({ lostKwh, meter, below }: MeterRow) => {
    if (lostKwh === undefined) return meter && below ? t('lostUnknown') : ''
    const share = format.number((lostKwh / (meter?.counted?.heatKwh || Number.NaN)) * 100, 1)
    return `${text.value(lostKwh)} (${t('lostShare', { share })})`
  }
  const below: readonly RecordColumn<MeterRow>[] = [
    {
      ...right,
      key: 'below',
      title: `${t('column.below')} (${unit})`,
      widthPx: 150,
      render: (row) => text.value(row.below?.heatKwh),
    },
    {
      ...right,
      key: 'meters',
      title: t('column.meters'),
      widthPx: 130,
      render: (row) => (row.below ? `${row.below.contributing} / ${row.below.meters}` : ''),
    },
    { ...right, key: 'lost', title: `${t('column.lost')} (${unit})`, widthPx: 170, render: lost },
  ]
  return [
    {
      key: 'place',
      title: t('column.place'),
      widthPx: 260,
      value: ({ nestaddr }) => nestaddr,
      render: ({ nestaddr }) => <span title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</span>,
    },
    {
      key: 'serial',
      title: t('column.serial'),
      widthPx: 140,
      isExtra: true,
      render: ({ meter }) => meter?.serial ?? t('noMeter'),
    },
    {
      ...right,
      key: 'newest',
      title: `${t('column.newest')} (${unit})`,
      widthPx: 130,
      render: ({ meter }) => (
        <span data-doubtful={((meter?.newest?.quality ?? 0) & DOUBTFUL_QUALITY) !== 0 || undefined}>
          {text.value(meter?.newest?.kwh)}
        </span>
      ),
    },
    {
      key: 'age',
      title: t('column.age'),
      widthPx: 120,
      render: ({ meter }) => <NewestAge meter={meter} />,
    },
    {
      ...right,
      key: 'heat',
      title: `${t('column.heat')} (${unit})`,
      widthPx: 200,
      value: (row) => toUnit(heatOf(row) ?? 0, unit),
      render: (row) => <HeatCell row={row} unit={unit} />,
    },
    {
      ...right,
      key: 'perM2',
      title: `${t('column.perM2')} (${unit}/m²)`,
      widthPx: 160,
      render: (row) => text.value(perArea(row), 2),
    },
    {
      ...right,
      key: 'perDegreeDay',
      title: `${t('column.perDegreeDay')} (Wh/(m²·K·d))`,
      widthPx: 190,
      render: (row) => format.number((perArea(row, degreeDays ?? Number.NaN) ?? Number.NaN) * 1_000, 1),
    },
    {
      ...right,
      key: 'area',
      title: t('column.area'),
      widthPx: 100,
      render: ({ areaM2 }) => format.number(areaM2, 0),
    },
    {
      ...right,
      key: 'missing',
      title: t('column.missing'),
      widthPx: 120,
      value: ({ meter }) => meter?.counted?.missingDays ?? 0,
      render: ({ meter }) => {
        const counted = meter?.counted
        if (!counted) return ''
        const hint = counted.uncountedDays > 0 ? t('uncounted', { days: counted.uncountedDays }) : undefined
        return <span title={hint}>{counted.missingDays}</span>
      },
    },
    ...(isAbove ? below : []),
    {
      key: 'findings',
      title: t('column.findings'),
      widthPx: 150,
      render: ({ meter }) => <FindingsCell meter={meter} />,
    },
  ]
}
