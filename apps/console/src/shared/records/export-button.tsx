import { DownloadOutlined } from '@ant-design/icons'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { toFailureText } from '../api/api-error.ts'
import { recordUse } from '../api/record-use.ts'
import { showNotice } from '../notices/notices.ts'
import { saveFile } from '../ui/save-file.ts'
import type { RecordColumn } from './record-column.ts'
import { toCsv } from './to-csv.ts'

interface ExportButtonProps<Row> {
  /** Name of the file, without its ending. */
  readonly name: string
  readonly columns: readonly RecordColumn<Row>[]
  readonly isEmpty: boolean
  readonly loadRows: () => Promise<readonly Row[]>
}

/** Saves every matching record as CSV. The export is recorded in the operation log. */
export function ExportButton<Row>({ name, columns, isEmpty, loadRows }: ExportButtonProps<Row>): ReactNode {
  const { t } = useTranslation('common')
  const { pathname } = useLocation()
  const saving = useMutation({
    mutationFn: loadRows,
    onSuccess(rows) {
      const file = `${name}.csv`
      const content = new Blob([toCsv(columns, rows)], { type: 'text/csv;charset=utf-8' })
      saveFile({ name: file, content })
      recordUse({ kind: 'export', path: pathname, title: file })
    },
    onError: (error) => showNotice('error', toFailureText(error)),
  })
  return (
    <Button
      icon={<DownloadOutlined />}
      aria-label={t('record.download')}
      title={t('record.download')}
      disabled={isEmpty}
      loading={saving.isPending}
      data-testid="record-export"
      onClick={() => saving.mutate()}
    />
  )
}
