import { previewReadings } from '@isotherm/contract/endpoints/devices/reading-files'
import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { Transfer } from '@isotherm/contract/transfer'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { type MappingDraft, toDraft, toMeaning } from './column-roles.ts'
import { ColumnTable } from './column-table.tsx'
import { NameFields } from './name-fields.tsx'
import styles from './readings.module.css'
import { type Preview, type Source, SourceFields } from './source-fields.tsx'
import { TimeFields } from './time-fields.tsx'

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
  const { headings, rows } = preview
  const [draft, setDraft] = useState<MappingDraft>(() => toDraft(preview.guess, headings.length))
  const meaning = toMeaning(draft)
  const metricColumn = draft.columns.indexOf('metric')
  return (
    <>
      <ColumnTable preview={preview} draft={draft} onDraft={setDraft} />
      {metricColumn >= 0 && <NameFields draft={draft} rows={rows} column={metricColumn} onDraft={setDraft} />}
      <TimeFields draft={draft} onDraft={setDraft} />
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
