import { DownloadOutlined } from '@ant-design/icons'
import type { IrrigationWaterDay } from '@isotherm/contract/irrigation'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { toCsv } from '../../../shared/records/to-csv.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { saveFile } from '../../../shared/ui/save-file.ts'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { waterQuery } from '../queries.ts'

const nothing: readonly never[] = []

const sum = (days: readonly IrrigationWaterDay[], name: 'volumeM3' | 'measuredM3'): number =>
  days.reduce((total, day) => total + day[name], 0)
const toPct = (days: readonly IrrigationWaterDay[]): number => {
  const volumeM3 = sum(days, 'volumeM3')
  return volumeM3 > 0 ? (100 * sum(days, 'measuredM3')) / volumeM3 : 0
}
/** In the order of the first of each. Not Map.groupBy: some supported browsers lack it. */
function groupBy(
  days: readonly IrrigationWaterDay[],
  name: 'node' | 'day',
): ReadonlyMap<string, readonly IrrigationWaterDay[]> {
  const groups = new Map<string, IrrigationWaterDay[]>()
  for (const day of days) groups.set(day[name], [...(groups.get(day[name]) ?? []), day])
  return groups
}

const toPlace = (nestaddr: string): string => nestaddr.replaceAll(',', ' / ')

function FieldWaterTable({ days }: { readonly days: readonly IrrigationWaterDay[] }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const fields = [...groupBy(days, 'node')]
  const most = Math.max(...fields.map(([, own]) => sum(own, 'volumeM3'))) || 1
  const byDay = [...groupBy(days, 'day')].toSorted(([one], [other]) => other.localeCompare(one))
  const columns = [
    { key: 'day', title: t('water.day'), text: ({ day }: IrrigationWaterDay) => day },
    { key: 'field', title: t('water.field'), text: ({ nestaddr }: IrrigationWaterDay) => toPlace(nestaddr) },
    {
      key: 'used',
      title: t('column.used'),
      text: ({ volumeM3 }: IrrigationWaterDay) => format.number(volumeM3, 2),
    },
    {
      key: 'measured',
      title: t('column.measured'),
      text: (day: IrrigationWaterDay) => format.number(toPct([day]), 0),
    },
  ]
  const save = () => {
    const given = columns.map((column) => ({ ...column, widthPx: 0, render: column.text }))
    const content = new Blob([toCsv(given, days)], { type: 'text/csv' })
    saveFile({ name: `${t('water.byField')}.csv`, content })
  }
  return (
    <section>
      <div className={`${styles.line} ${styles.between}`}>
        <h3>{t('water.byField')}</h3>
        <Button size="small" icon={<DownloadOutlined />} data-testid="field-water-export" onClick={save}>
          {t('water.export')}
        </Button>
      </div>
      <ul className={styles.water} data-testid="field-water">
        {fields.map(([node, own]) => (
          <li key={node}>
            <span>{toPlace(own[0]?.nestaddr ?? '')}</span>
            <span className={styles.bar} aria-hidden>
              <span style={{ width: `${(100 * sum(own, 'volumeM3')) / most}%` }} />
            </span>
            <span>{text.volume(sum(own, 'volumeM3'))}</span>
            <small className={styles.hint}>{t('meteredPct', { value: format.number(toPct(own), 0) })}</small>
          </li>
        ))}
      </ul>
      <details>
        <summary>{t('water.byDay')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard */}
        <section className={styles.scroll} tabIndex={0} aria-label={t('water.byDay')}>
          <table className={styles.table} data-testid="field-water-days">
            <thead>
              <tr>
                <th>{t('water.day')}</th>
                {fields.map(([node, own]) => (
                  <th key={node}>{toPlace(own[0]?.nestaddr ?? '')}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {byDay.map(([day, all]) => (
                <tr key={day}>
                  <td>{day}</td>
                  {fields.map(([node]) => (
                    <td key={node} data-number>
                      {format.number(
                        sum(
                          all.filter((one) => one.node === node),
                          'volumeM3',
                        ),
                        2,
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  )
}

/** Water of the selected fields, each with all its sources, for some days and by day. */
export function FieldWater({ days }: { readonly days: number }) {
  const nodes = useSelectedNodes()
  const query = useQuery({ ...waterQuery(nodes ?? nothing, days), enabled: nodes !== undefined })
  return (
    <Answer query={query}>
      {({ datalist }) => (datalist.length === 0 ? null : <FieldWaterTable days={datalist} />)}
    </Answer>
  )
}
