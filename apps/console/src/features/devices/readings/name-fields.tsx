import { isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { listUnits } from '@isotherm/profiles/convert-units'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { MappingDraft } from './column-roles.ts'
import { importable } from './importable.ts'
import styles from './readings.module.css'
import { UnitSelect } from './unit-select.tsx'

/** Names in the column of metrics: of the first rows, and those that the server recognised further down. */
function listNames(
  rows: readonly (readonly string[])[],
  column: number,
  draft: MappingDraft,
): readonly string[] {
  const shown = rows.map((row) => row[column] ?? '').filter((name) => name !== '')
  return [...new Set([...Object.keys(draft.names), ...shown])]
}

interface NameFieldsProps {
  readonly draft: MappingDraft
  readonly rows: readonly (readonly string[])[]
  /** Position of the column with the names of metrics. */
  readonly column: number
  readonly onDraft: (draft: MappingDraft) => void
}

/** What the names in a column of metrics mean: a metric and a unit for each. */
export function NameFields({ draft, rows, column, onDraft }: NameFieldsProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const set = (name: string, named: { metric: MetricName; unit: string } | undefined) => {
    const { [name]: _, ...others } = draft.names
    onDraft({ ...draft, names: named ? { ...others, [name]: named } : others })
  }
  const options = [
    { value: '', label: t('readings.unmapped') },
    ...importable.map((value) => ({ value: value as string, label: format.metricName(value) })),
  ]
  return (
    <section className={styles.names} aria-label={t('readings.names')}>
      <h4>{t('readings.names')}</h4>
      {listNames(rows, column, draft)
        .toSorted()
        .map((name) => {
          const named = draft.names[name]
          return (
            <div key={name} className={styles.name}>
              <span>{name}</span>
              <Select
                aria-label={name}
                showSearch={{ optionFilterProp: 'label' }}
                value={(named?.metric as string | undefined) ?? ''}
                options={options}
                onChange={(metric: string) =>
                  set(name, isMetricName(metric) ? { metric, unit: listUnits(metric)[0] ?? '' } : undefined)
                }
              />
              <UnitSelect
                label={`${name} · ${t('readings.unitOf')}`}
                role={named?.metric}
                unit={named?.unit}
                onUnit={(unit) => named && set(name, { ...named, unit })}
              />
            </div>
          )
        })}
    </section>
  )
}
