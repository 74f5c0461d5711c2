import { DownloadOutlined } from '@ant-design/icons'
import type { IrrigationWaterDay } from '@isotherm/contract/irrigation'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { waterQuery } from '../queries.ts'
import { saveCsv, toPlain } from './save-csv.ts'
import { type Field, WaterByDay } from './water-by-day.tsx'

const nothing: readonly never[] = []

interface FieldSum extends Field {
  volumeM3: number
  measuredM3: number
}

const toPct = ({ volumeM3, measuredM3 }: Pick<FieldSum, 'volumeM3' | 'measuredM3'>): number =>
  volumeM3 > 0 ? (100 * measuredM3) / volumeM3 : 0

/** The last names of its place; the whole address is its title. */
const toPlace = (nestaddr: string): string => nestaddr.split(',').slice(-2).join(' / ')

/** The water of each field in all days, in the order of the first of each. */
function sumByField(rows: readonly IrrigationWaterDay[]): readonly FieldSum[] {
  const fields = new Map<string, FieldSum>()
  for (const { node, nestaddr, volumeM3, measuredM3 } of rows) {
    const field = fields.get(node) ?? {
      node,
      place: toPlace(nestaddr),
      address: toWholeAddress(nestaddr),
      volumeM3: 0,
      measuredM3: 0,
    }
    field.volumeM3 += volumeM3
    field.measuredM3 += measuredM3
    fields.set(node, field)
  }
  return [...fields.values()]
}

interface WaterProps {
  readonly days: number
  /** Time zone in which the days of a file are named. */
  readonly timeZone: string
}

function FieldWaterTable({ rows, ...span }: WaterProps & { readonly rows: readonly IrrigationWaterDay[] }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const fields = useMemo(() => sumByField(rows), [rows])
  const most = fields.reduce((max, { volumeM3 }) => Math.max(max, volumeM3), 0) || 1
  const columns = [
    { key: 'day', title: t('water.day'), text: ({ day }: IrrigationWaterDay) => day },
    {
      key: 'field',
      title: t('water.field'),
      text: ({ nestaddr }: IrrigationWaterDay) => toWholeAddress(nestaddr),
    },
    {
      key: 'used',
      title: t('column.used'),
      text: ({ volumeM3 }: IrrigationWaterDay) => toPlain(volumeM3, 2),
    },
    {
      key: 'measuredM3',
      title: t('column.measuredM3'),
      text: ({ measuredM3 }: IrrigationWaterDay) => toPlain(measuredM3, 2),
    },
    {
      key: 'measured',
      title: t('column.measured'),
      text: (day: IrrigationWaterDay) => toPlain(toPct(day), 0),
    },
  ]
  return (
    <section>
      <div className={`${styles.line} ${styles.between}`}>
        <h3>{t('water.byField')}</h3>
        <Button
          size="small"
          icon={<DownloadOutlined />}
          data-testid="field-water-export"
          onClick={() => saveCsv(t('water.byField'), span, columns, rows)}
        >
          {t('water.export')}
        </Button>
      </div>
      <p className={styles.hint}>{t('water.ofAll')}</p>
      <ul className={styles.water} data-testid="field-water">
        {fields.map((field) => (
          <li key={field.node}>
            <span title={field.address}>{field.place}</span>
            <span className={styles.bar} aria-hidden>
              <span style={{ width: `${(100 * field.volumeM3) / most}%` }} />
            </span>
            <span>{text.volume(field.volumeM3)}</span>
            <small className={styles.hint}>
              {t('meteredPct', { value: format.number(toPct(field), 0) })}
            </small>
          </li>
        ))}
      </ul>
      <WaterByDay fields={fields} rows={rows} />
    </section>
  )
}

/** Water of the selected fields, each with all its sources, for some days and by day. */
export function FieldWater(span: WaterProps) {
  const nodes = useSelectedNodes()
  const query = useQuery({ ...waterQuery(nodes ?? nothing, span.days), enabled: nodes !== undefined })
  return (
    <Answer query={query}>
      {({ datalist }) => (datalist.length === 0 ? null : <FieldWaterTable rows={datalist} {...span} />)}
    </Answer>
  )
}
