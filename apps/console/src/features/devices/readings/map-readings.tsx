import type { OutputOf } from '@isotherm/contract/endpoint'
import { previewReadings } from '@isotherm/contract/endpoints/devices/reading-files'
import type { ReadingMapping, TextFormat } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { isMetricName, isReportedBy, type MetricName, metricNames } from '@isotherm/contract/metrics'
import type { Transfer } from '@isotherm/contract/transfer'
import { listUnits } from '@isotherm/profiles/convert-units'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, InputNumber, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { type MappingDraft, type Role, roles, toDraft, toMeaning, withRole } from './column-roles.ts'
import styles from './readings.module.css'

type Preview = OutputOf<typeof previewReadings>

interface Source {
  readonly format?: TextFormat
  readonly sheet?: string
  readonly headingRow: number
}

interface MapReadingsProps {
  readonly transfer: Transfer
  readonly onMapped: (mapping: ReadingMapping) => void
}

/** What the columns of a file mean: the file's first rows, with a meaning and a unit above each column. */
export function MapReadings({ transfer, onMapped }: MapReadingsProps) {
  const [source, setSource] = useState<Source>({ headingRow: 1 })
  const query = useQuery({
    queryKey: ['reading-preview', transfer.id, source],
    queryFn: ({ signal }) => call(previewReadings, { transferId: transfer.id, ...source }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Answer query={query}>
      {(preview) => (
        <>
          <SourceFields preview={preview} source={source} onSource={setSource} />
          <Meanings
            key={JSON.stringify(preview.headings)}
            preview={preview}
            source={source}
            onMapped={onMapped}
          />
        </>
      )}
    </Answer>
  )
}

function Field({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.field}>
      <span>{label}</span>
      {children}
    </div>
  )
}

const encodings = ['utf-8', 'gb18030'] as const
const delimiters = [',', ';', '\t'] as const

function SourceFields({
  preview,
  source,
  onSource,
}: {
  readonly preview: Preview
  readonly source: Source
  readonly onSource: (source: Source) => void
}) {
  const { t } = useTranslation('devices')
  const { format } = preview
  return (
    <div className={styles.fields}>
      {preview.sheets.length > 1 && (
        <Field label={t('readings.sheet')}>
          <Select
            aria-label={t('readings.sheet')}
            value={source.sheet ?? preview.sheets[0] ?? ''}
            options={preview.sheets.map((value) => ({ value, label: value }))}
            onChange={(sheet) => onSource({ ...source, sheet })}
          />
        </Field>
      )}
      {preview.sheets.length === 0 && (
        <>
          <Field label={t('readings.encoding')}>
            <Select
              aria-label={t('readings.encoding')}
              value={format.encoding}
              options={encodings.map((value) => ({ value, label: t(`readings.encodings.${value}`) }))}
              onChange={(encoding) => onSource({ ...source, format: { ...format, encoding } })}
            />
          </Field>
          <Field label={t('readings.delimiter')}>
            <Select
              aria-label={t('readings.delimiter')}
              value={format.delimiter}
              options={delimiters.map((value) => ({ value, label: t(`readings.delimiters.${value}`) }))}
              onChange={(delimiter) => onSource({ ...source, format: { ...format, delimiter } })}
            />
          </Field>
        </>
      )}
      <Field label={t('readings.headingRow')}>
        <InputNumber
          aria-label={t('readings.headingRow')}
          min={1}
          max={50}
          value={source.headingRow}
          onChange={(headingRow) => headingRow !== null && onSource({ ...source, headingRow })}
        />
      </Field>
    </div>
  )
}

/** Metrics that devices of the field report; those of gateways about themselves are not imported. */
const importable = metricNames.filter(
  (name) =>
    !isReportedBy(name, 'concentrator') || isReportedBy(name, 'heat-meter') || isReportedBy(name, 'station'),
)
const zones = Intl.supportedValuesOf('timeZone')
const SHOWN_ROWS = 8

function Meanings({
  preview,
  source,
  onMapped,
}: {
  readonly preview: Preview
  readonly source: Source
  readonly onMapped: MapReadingsProps['onMapped']
}) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { headings, rows } = preview
  const [draft, setDraft] = useState<MappingDraft>(() => toDraft(preview.guess, headings.length))
  const roleOptions = [
    ...roles.map((value) => ({ value: value as Role, label: t(`readings.roles.${value}`) })),
    ...importable.map((value) => ({ value: value as Role, label: format.metricName(value) })),
  ]
  const meaning = toMeaning(draft)
  const metricColumn = draft.columns.indexOf('metric')
  return (
    <>
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
                      onChange={(role: Role) => setDraft(withRole(draft, column, role))}
                    />
                    <UnitSelect
                      label={t('readings.unit', { number: column + 1 })}
                      role={draft.columns[column]}
                      unit={draft.units[column]}
                      onUnit={(unit) => setDraft({ ...draft, units: { ...draft.units, [column]: unit } })}
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
      {metricColumn >= 0 && (
        <NameFields draft={draft} names={listNames(rows, metricColumn, draft)} onDraft={setDraft} />
      )}
      <div className={styles.fields}>
        <Field label={t('readings.timeZone')}>
          <Select
            aria-label={t('readings.timeZone')}
            showSearch
            value={draft.timeZone}
            options={zones.map((value) => ({ value, label: value }))}
            onChange={(timeZone) => setDraft({ ...draft, timeZone })}
          />
        </Field>
        <Field label={t('readings.order')}>
          <Select
            aria-label={t('readings.order')}
            value={draft.order}
            options={(['ymd', 'dmy', 'mdy'] as const).map((value) => ({
              value,
              label: t(`readings.orders.${value}`),
            }))}
            onChange={(order) => setDraft({ ...draft, order })}
          />
        </Field>
      </div>
      <Checkbox
        checked={draft.isEstimated}
        onChange={({ target }) => setDraft({ ...draft, isEstimated: target.checked })}
      >
        {t('readings.estimated')} <small>{t('readings.estimatedHint')}</small>
      </Checkbox>
      {typeof meaning === 'string' && (
        <Alert
          type="info"
          showIcon
          title={meaning === 'value' ? t('readings.missingValue') : t(`readings.missing.${meaning}`)}
        />
      )}
      <Button
        type="primary"
        className={styles.action ?? ''}
        disabled={typeof meaning === 'string'}
        data-testid="readings-mapped"
        onClick={() => {
          if (typeof meaning === 'string') return
          onMapped({
            ...preview.format,
            ...(source.sheet !== undefined && { sheet: source.sheet }),
            headingRow: source.headingRow,
            headings: [...headings],
            ...meaning,
          })
        }}
      >
        {t('readings.next')}
      </Button>
    </>
  )
}

/** Names in the column of metrics: of the first rows, and those that the server recognised further down. */
function listNames(
  rows: readonly (readonly string[])[],
  column: number,
  draft: MappingDraft,
): readonly string[] {
  const shown = rows.map((row) => row[column] ?? '').filter((name) => name !== '')
  return [...new Set([...Object.keys(draft.names), ...shown])]
}

function UnitSelect({
  label,
  role,
  unit,
  onUnit,
}: {
  readonly label: string
  readonly role: Role | undefined
  readonly unit: string | undefined
  readonly onUnit: (unit: string) => void
}) {
  if (role === undefined || !isMetricName(role)) return null
  const units = listUnits(role)
  if (units.length < 2) return <small>{units[0]}</small>
  return (
    <Select
      aria-label={label}
      popupMatchSelectWidth={false}
      value={unit ?? units[0] ?? ''}
      options={units.map((value) => ({ value, label: value }))}
      onChange={onUnit}
    />
  )
}

function NameFields({
  draft,
  names,
  onDraft,
}: {
  readonly draft: MappingDraft
  readonly names: readonly string[]
  readonly onDraft: (draft: MappingDraft) => void
}) {
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
      {names.toSorted().map((name) => {
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
