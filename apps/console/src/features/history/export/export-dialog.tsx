import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, Progress, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import type { HistoryLevel } from '../curves/history-range.ts'
import text from '../text.module.css'
import styles from './export.module.css'
import {
  type ExportCount,
  type ExportOffer,
  exportCountQuery,
  type FileKind,
  isTooLong,
  toDonePct,
  toRequest,
} from './export-query.ts'
import { useExport } from './use-export.ts'

interface ExportDialogProps {
  readonly offer: ExportOffer
  readonly onClose: () => void
}

const LEVELS = ['raw', 'hour', 'day'] as const satisfies readonly HistoryLevel[]
const MB = 1_000_000

/** Exports the shown history to a file: counts the rows first, shows progress, can be cancelled at any time. */
export default function ExportDialog({ offer, onClose }: ExportDialogProps) {
  const { shown, nodes } = offer
  const { t } = useTranslation('history')
  const [from, setFrom] = useState<'shown' | 'all'>(shown.deviceIds.length > 0 ? 'shown' : 'all')
  const [level, setLevel] = useState(shown.level)
  const [kind, setKind] = useState<FileKind>('xlsx')
  const request = useMemo(() => toRequest(offer, from, level), [offer, from, level])
  const count = useQuery(exportCountQuery(request))
  const file = useExport((name) => {
    showNotice('success', t('export.done', { name }))
    onClose()
  })
  const rows = count.data?.rows ?? 0
  const tooLong = isTooLong(kind, rows)
  return (
    <Modal
      open
      title={t('export.title')}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={file.isRunning ? file.cancel : onClose} data-testid="export-cancel">
            {t('export.cancel')}
          </Button>
          <Button
            type="primary"
            loading={file.isRunning}
            disabled={!request || !count.isSuccess || count.isFetching || rows === 0 || tooLong}
            data-testid="export-start"
            onClick={() => request && file.start({ request, kind })}
          >
            {t('export.start')}
          </Button>
        </>
      }
    >
      <fieldset className={styles.form} disabled={file.isRunning}>
        <Segmented
          aria-label={t('export.which')}
          value={from}
          disabled={file.isRunning}
          options={[
            {
              value: 'shown',
              label: t('export.shown', { count: shown.deviceIds.length }),
              disabled: shown.deviceIds.length === 0,
            },
            { value: 'all', label: t('export.all'), disabled: nodes === undefined },
          ]}
          onChange={setFrom}
        />
        <Segmented
          aria-label={t('export.level')}
          value={level}
          disabled={file.isRunning}
          options={LEVELS.map((value) => ({ value, label: t(`export.levels.${value}`) }))}
          onChange={setLevel}
        />
        <Segmented<FileKind>
          aria-label={t('export.kind')}
          value={kind}
          disabled={file.isRunning}
          options={[
            { value: 'xlsx', label: t('export.xlsx') },
            { value: 'csv', label: t('export.csv') },
          ]}
          onChange={setKind}
        />
        {request ? (
          <CountLine isPending={count.isFetching} count={count.data} />
        ) : (
          <Alert type="warning" showIcon title={t('selection.gone', { ns: 'common' })} />
        )}
        {count.isError && <Alert type="error" showIcon title={toFailureText(count.error)} />}
        {tooLong && <Alert type="warning" showIcon title={t('export.tooLong')} />}
        {file.error && <Alert type="error" showIcon title={toFailureText(file.error)} />}
        {file.isRunning && <ProgressLine rows={file.figures.rows} count={rows} bytes={file.figures.bytes} />}
      </fieldset>
    </Modal>
  )
}

function CountLine(props: { readonly isPending: boolean; readonly count: ExportCount | undefined }) {
  const { t } = useTranslation('history')
  const format = useFormat()
  const { isPending, count } = props
  return (
    <p data-testid="export-count">
      {isPending || !count
        ? t('export.counting')
        : t('export.count', { rows: format.number(count.rows, 0), devices: format.number(count.devices, 0) })}
    </p>
  )
}

function ProgressLine({ rows, count, bytes }: Record<'rows' | 'count' | 'bytes', number>) {
  const { t } = useTranslation('history')
  const format = useFormat()
  return (
    <div>
      <Progress percent={toDonePct(rows, count)} size="small" aria-label={t('export.title')} />
      <p className={text.hint}>
        {t('export.received', {
          rows: format.number(rows, 0),
          total: format.number(count, 0),
          size: `${format.number(bytes / MB, 1)} MB`,
        })}
      </p>
    </div>
  )
}
