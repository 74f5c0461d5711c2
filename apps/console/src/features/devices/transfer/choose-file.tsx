import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import { getTemplate, uploadTransfer } from '@isotherm/contract/endpoints/devices/transfer'
import { MAX_FILE_BYTES, MAX_ROWS, type Transfer } from '@isotherm/contract/transfer'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Upload } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { upload } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './transfer.module.css'
import { useFile } from './use-file.ts'

const MEGABYTE = 1024 * 1024

/** Chooses a workbook by drag and drop or from the disk, and uploads it. */
export function ChooseFile({ onUploaded }: { readonly onUploaded: (transfer: Transfer) => void }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const template = useFile(getTemplate)
  const uploading = useMutation({
    mutationFn: (file: File) => upload(uploadTransfer, { fileName: file.name }, file),
    onSuccess: onUploaded,
  })
  return (
    <>
      <p>
        {t('transfer.means')}{' '}
        <Button
          type="link"
          size="small"
          icon={<DownloadOutlined />}
          loading={template.isPending}
          onClick={() => template.mutate({})}
        >
          {t('transfer.template')}
        </Button>
      </p>
      <Upload.Dragger
        accept=".xlsx"
        maxCount={1}
        showUploadList={false}
        disabled={uploading.isPending}
        data-testid="transfer-file"
        beforeUpload={(file) => {
          uploading.mutate(file)
          return false
        }}
      >
        <InboxOutlined className={styles.icon ?? ''} />
        <p>{uploading.isPending ? t('transfer.uploading') : t('transfer.drop')}</p>
        <small>
          {t('transfer.limits', {
            megabytes: MAX_FILE_BYTES / MEGABYTE,
            rows: format.number(MAX_ROWS, 0),
          })}
        </small>
      </Upload.Dragger>
      {uploading.error && <Alert type="error" showIcon title={toFailureText(uploading.error)} />}
    </>
  )
}
