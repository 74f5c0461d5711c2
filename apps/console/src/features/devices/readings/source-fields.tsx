import type { OutputOf } from '@isotherm/contract/endpoint'
import type { previewReadings } from '@isotherm/contract/endpoints/devices/reading-files'
import type { TextFormat } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { MappingField } from './mapping-field.tsx'
import styles from './readings.module.css'

/** First rows of a file, its headings, and what the server guesses of their meaning. */
export type Preview = OutputOf<typeof previewReadings>

/** How a file is read: its sheet or text format, and the row of its headings. */
export interface Source {
  readonly format?: TextFormat
  readonly sheet?: string
  readonly headingRow: number
}

interface SourceFieldsProps {
  readonly preview: Preview
  readonly source: Source
  readonly onSource: (source: Source) => void
}

const encodings = ['utf-8', 'gb18030'] as const
const delimiters = [',', ';', '\t'] as const

/** Fields for how a file is read. */
export function SourceFields({ preview, source, onSource }: SourceFieldsProps) {
  const { t } = useTranslation('devices')
  const { format } = preview
  return (
    <div className={styles.fields}>
      {preview.sheets.length > 1 && (
        <MappingField label={t('readings.sheet')}>
          <Select
            aria-label={t('readings.sheet')}
            value={source.sheet ?? preview.sheets[0] ?? ''}
            options={preview.sheets.map((value) => ({ value, label: value }))}
            onChange={(sheet) => onSource({ ...source, sheet })}
          />
        </MappingField>
      )}
      {preview.sheets.length === 0 && (
        <>
          <MappingField label={t('readings.encoding')}>
            <Select
              aria-label={t('readings.encoding')}
              value={format.encoding}
              options={encodings.map((value) => ({ value, label: t(`readings.encodings.${value}`) }))}
              onChange={(encoding) => onSource({ ...source, format: { ...format, encoding } })}
            />
          </MappingField>
          <MappingField label={t('readings.delimiter')}>
            <Select
              aria-label={t('readings.delimiter')}
              value={format.delimiter}
              options={delimiters.map((value) => ({ value, label: t(`readings.delimiters.${value}`) }))}
              onChange={(delimiter) => onSource({ ...source, format: { ...format, delimiter } })}
            />
          </MappingField>
        </>
      )}
      <MappingField label={t('readings.headingRow')}>
        <InputNumber
          aria-label={t('readings.headingRow')}
          min={1}
          max={50}
          value={source.headingRow}
          onChange={(headingRow) => headingRow !== null && onSource({ ...source, headingRow })}
        />
      </MappingField>
    </div>
  )
}
