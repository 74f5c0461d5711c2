import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type MappingDraft, type Role, roles, withRole } from './column-roles.ts'
import { importable } from './importable.ts'
import styles from './readings.module.css'
import type { Preview } from './source-fields.tsx'
import { UnitSelect } from './unit-select.tsx'

const SHOWN_ROWS = 8

interface ColumnTableProps {
  readonly preview: Preview
  readonly draft: MappingDraft
  readonly onDraft: (draft: MappingDraft) => void
}

/** The first rows of a file, with a meaning and a unit above each column. */
export function ColumnTable({ preview, draft, onDraft }: ColumnTableProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { headings, rows } = preview
  const roleOptions = [
    ...roles.map((value) => ({ value: value as Role, label: t(`readings.roles.${value}`) })),
    ...importable.map((value) => ({ value: value as Role, label: format.metricName(value) })),
  ]
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-testid="readings-columns">
        <caption>{t('readings.columns')}</caption>
        <thead>
          <tr>
            {headings.map((heading, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <th key={column} scope="col" data-used={draft.columns[column] !== 'none'}>
                <div className={styles.meaning}>
                  <span className={styles.heading}>{heading}</span>
                  <Select
                    aria-label={t('readings.column', { number: column + 1 })}
                    data-testid={`role-${column}`}
                    popupMatchSelectWidth={false}
                    showSearch={{ optionFilterProp: 'label' }}
                    value={draft.columns[column] ?? 'none'}
                    options={roleOptions}
                    onChange={(role: Role) => onDraft(withRole(draft, column, role))}
                  />
                  <UnitSelect
                    label={t('readings.unit', { number: column + 1 })}
                    role={draft.columns[column]}
                    unit={draft.units[column]}
                    onUnit={(unit) => onDraft({ ...draft, units: { ...draft.units, [column]: unit } })}
                  />
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
