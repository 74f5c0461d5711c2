import { UploadOutlined } from '@ant-design/icons'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { Alert, Button, type ButtonProps, Upload } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ReadProfile, readProfile } from './read-profile.ts'

interface OpenProfileProps extends Pick<ButtonProps, 'size' | 'type' | 'loading'> {
  readonly label: string
  readonly onOpened: (profile: DeviceProfile) => void
}

/** Reads a profile from a file that the user chooses. For an invalid profile it shows the invalid fields. */
export function OpenProfile({ label, onOpened, ...button }: OpenProfileProps) {
  const { t } = useTranslation('devices')
  const [refusal, setRefusal] = useState<Exclude<ReadProfile, { kind: 'profile' }>>()
  const open = async (file: File): Promise<void> => {
    const read = readProfile(await file.text())
    setRefusal(read.kind === 'profile' ? undefined : read)
    if (read.kind === 'profile') onOpened(read.profile)
  }
  return (
    <>
      <Upload
        accept=".json"
        maxCount={1}
        showUploadList={false}
        data-testid="open-profile"
        beforeUpload={(file) => {
          void open(file)
          return false
        }}
      >
        <Button {...button} icon={<UploadOutlined />}>
          {label}
        </Button>
      </Upload>
      {refusal && (
        <Alert
          type="error"
          showIcon
          title={
            refusal.kind === 'not-json'
              ? t('frames.notJson')
              : t('frames.badProfile', { places: refusal.places.join(', ') })
          }
        />
      )}
    </>
  )
}
