import { FileExcelOutlined, FileTextOutlined, PrinterOutlined } from '@ant-design/icons'
import { exportReport } from '@isotherm/contract/endpoints/monitoring/statistics'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../shared/api/api-error.ts'
import { download } from '../../shared/api/client.ts'
import { showNotice } from '../../shared/notices/notices.ts'
import { saveFile } from '../../shared/ui/save-file.ts'
import type { toReportInput } from './statistics-query.ts'

interface FileButtonsProps {
  /** Absent while the choice is incomplete. */
  readonly input: ReturnType<typeof toReportInput> | undefined
}

/** Buttons that print the shown report and save the whole report as a file. */
export function FileButtons({ input }: FileButtonsProps) {
  const { t } = useTranslation('statistics')
  const saving = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') =>
      input ? download(exportReport, { ...input, format }) : Promise.reject(new Error('no dates')),
    onSuccess: saveFile,
    onError: (error) => showNotice('error', toFailureText(error)),
  })
  const button = (format: 'csv' | 'xlsx', label: string, icon: ReactNode) => (
    <Button
      icon={icon}
      aria-label={label}
      title={label}
      disabled={!input}
      loading={saving.isPending && saving.variables === format}
      data-testid={`report-${format}`}
      onClick={() => saving.mutate(format)}
    />
  )
  return (
    <>
      <Button
        icon={<PrinterOutlined />}
        aria-label={t('print')}
        title={t('print')}
        disabled={!input}
        data-testid="report-print"
        onClick={() => window.print()}
      />
      {button('xlsx', t('exportXlsx'), <FileExcelOutlined />)}
      {button('csv', t('exportCsv'), <FileTextOutlined />)}
    </>
  )
}
