import { InboxOutlined } from '@ant-design/icons'
import { MAX_READINGS_BYTES } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { Transfer } from '@isotherm/contract/transfer'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Progress, Upload } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import styles from './readings.module.css'
import { type PartialUpload, uploadParts } from './upload-parts.ts'

const MEGABYTE = 1024 * 1024
const GIGABYTE = 1024 * MEGABYTE

/** Chooses a file of readings and uploads it in parts; after a failure the upload continues where it was. */
export function ChooseReadings({ onUploaded }: { readonly onUploaded: (transfer: Transfer) => void }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const [state, setState] = useState<PartialUpload>()
  const [done, setDone] = useState(0)
  const aborter = useRef<AbortController>(undefined)
  useEffect(() => () => aborter.current?.abort(), [])
  const uploading = useMutation({
    mutationFn: (started: PartialUpload) => {
      aborter.current = new AbortController()
      return uploadParts(started, setDone, aborter.current.signal)
    },
    onSuccess: onUploaded,
  })
  const megabytes = (bytes: number) => format.number(bytes / MEGABYTE, 1)
  return (
    <>
      <p>{t('readings.hint')}</p>
      <Upload.Dragger
        accept=".csv,.txt,.xlsx"
        maxCount={1}
        showUploadList={false}
        disabled={uploading.isPending}
        data-testid="readings-file"
        beforeUpload={(file) => {
          const started = { file, id: undefined, done: 0 }
          setState(started)
          setDone(0)
          uploading.mutate(started)
          return false
        }}
      >
        <InboxOutlined className={styles.icon ?? ''} />
        <p>{state && uploading.isPending ? state.file.name : t('readings.drop')}</p>
        <small>{t('readings.limit', { gigabytes: MAX_READINGS_BYTES / GIGABYTE })}</small>
      </Upload.Dragger>
      {state && !uploading.isSuccess && (
        <>
          <Progress percent={Math.floor((done / Math.max(1, state.file.size)) * 100)} status="active" />
          <p role="status">
            {t('readings.uploaded', { done: megabytes(done), total: megabytes(state.file.size) })}
          </p>
        </>
      )}
      {uploading.error && state && (
        <Alert
          type="error"
          showIcon
          title={toFailureText(uploading.error)}
          action={
            <Button size="small" onClick={() => uploading.mutate(state)}>
              {t('readings.retry')}
            </Button>
          }
        />
      )}
    </>
  )
}
