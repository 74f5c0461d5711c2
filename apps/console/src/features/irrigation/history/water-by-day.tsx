import type { IrrigationWaterDay } from '@isotherm/contract/irrigation'
import { Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { createMediaHook } from '../../../shared/screen/use-media.ts'
import styles from '../irrigation.module.css'

/** Fields beside each other; a phone has room for one. The file has all. */
const FIELDS = 20

const useIsPhone = createMediaHook('(max-width: 600px)')

export interface Field {
  readonly node: string
  /** Its short name, and its whole address. */
  readonly place: string
  readonly address: string
}

interface WaterByDayProps {
  readonly fields: readonly Field[]
  readonly rows: readonly IrrigationWaterDay[]
}

/** The water of each day, of some fields at a time. */
function DayTable({ fields, rows }: WaterByDayProps) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const isPhone = useIsPhone()
  const [page, setPage] = useState(1)
  const pageSize = isPhone ? 1 : FIELDS
  // The answer may have fewer fields than before.
  const current = Math.min(page, Math.ceil(fields.length / pageSize))
  const shown = fields.slice((current - 1) * pageSize, current * pageSize)
  const byDay = new Map<string, Map<string, number>>()
  for (const { day, node, volumeM3 } of rows) {
    const ofDay = byDay.get(day) ?? new Map<string, number>()
    byDay.set(day, ofDay.set(node, volumeM3))
  }
  const days = [...byDay].toSorted(([one], [other]) => other.localeCompare(one))
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={t('water.byDay')}>
        <table className={`${styles.table} ${styles.days}`} data-testid="field-water-days">
          <thead>
            <tr>
              <th>{t('water.day')}</th>
              {shown.map(({ node, place, address }) => (
                <th key={node} data-number title={address}>
                  {place}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(([day, ofDay]) => (
              <tr key={day}>
                <td>{day}</td>
                {shown.map(({ node }) => (
                  <td key={node} data-number>
                    {format.number(ofDay.get(node) ?? 0, 2)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {fields.length > pageSize && (
        <Pagination
          size="small"
          simple
          current={current}
          pageSize={pageSize}
          total={fields.length}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </>
  )
}

/** The table is made when it is opened: a year of a large park has many cells. */
export function WaterByDay(props: WaterByDayProps) {
  const { t } = useTranslation('irrigation')
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('water.byDay')}</summary>
      {isOpen && <DayTable {...props} />}
    </details>
  )
}
