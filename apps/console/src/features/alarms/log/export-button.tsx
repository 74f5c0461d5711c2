import { DownloadOutlined } from '@ant-design/icons'
import { exportAlarmLog } from '@isotherm/contract/endpoints/monitoring/alarms'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Modal, Segmented } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import form from '../../../shared/form/form.module.css'
import { useFormat } from '../../../shared/format/use-format.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { saveFile } from '../../../shared/ui/save-file.ts'
import { ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { type LogRequest, logQuery, toLogInput } from '../calls/alarm-queries.ts'
import styles from '../parts/alarms.module.css'

/** Maximum number of rows of a workbook, including the header. */
const MAX_ROWS = 1_048_575
const MB = 1_000_000

/** Exports the shown log to a file. Shows the number of entries first. */
export function ExportButton({ request }: { readonly request: LogRequest }) {
  const { t } = useTranslation('alarms')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<DownloadOutlined />} onClick={() => setOpen(true)} data-testid="export-log">
        {t('export.action')}
      </Button>
      <Modal
        open={open}
        title={t('export.title')}
        footer={null}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        <ExportForm request={request} onClose={() => setOpen(false)} />
      </Modal>
    </>
  )
}

type Kind = 'csv' | 'xlsx'

function ExportForm({ request, onClose }: { readonly request: LogRequest; readonly onClose: () => void }) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const counted = useQuery(logQuery(request, 1))
  const [kind, setKind] = useState<Kind>('xlsx')
  const [bytes, setBytes] = useState(0)
  const stop = useRef<AbortController>(undefined)
  const file = useMutation({
    mutationFn(input: ReturnType<typeof toLogInput> & { readonly format: Kind }) {
      stop.current = new AbortController()
      return download(exportAlarmLog, input, { signal: stop.current.signal, onBytes: setBytes })
    },
    onSuccess(done) {
      saveFile(done)
      showNotice('success', t('export.done', { name: done.name }))
      onClose()
    },
  })
  // Closing the dialog in any way cancels the export.
  useEffect(() => () => stop.current?.abort(), [])
  if (counted.isPending) return <LoadingState text={t('export.counting')} />
  if (counted.isError) return <ErrorState error={counted.error} onRetry={() => counted.refetch()} />
  const count = counted.data.total
  const isTooLong = kind === 'xlsx' && count > MAX_ROWS
  const isAborted = file.error?.name === 'AbortError'
  return (
    <ActionForm
      submit={t('export.start')}
      isReady={count > 0 && !isTooLong}
      busy={file.isPending}
      error={isAborted ? null : file.error}
      testId="export-start"
      onSubmit={() => {
        setBytes(0)
        file.mutate({ ...toLogInput(request), format: kind })
      }}
      onCancel={onClose}
    >
      <p className={styles.intro}>{t('export.count', { count })}</p>
      <Segmented<Kind>
        aria-label={t('export.format')}
        value={kind}
        options={[
          { value: 'xlsx', label: t('export.xlsx') },
          { value: 'csv', label: t('export.csv') },
        ]}
        onChange={setKind}
      />
      {isTooLong && (
        <small className={form.wrong}>{t('export.tooMany', { limit: format.number(MAX_ROWS, 0) })}</small>
      )}
      {file.isPending && (
        <p className={styles.hint}>{t('export.received', { size: `${format.number(bytes / MB, 1)} MB` })}</p>
      )}
    </ActionForm>
  )
}
