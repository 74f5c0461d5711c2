import { UploadOutlined } from '@ant-design/icons'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { Alert, type ButtonProps } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileButton } from '../../../shared/inputs/file-button.tsx'
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
      <FileButton
        {...button}
        label={label}
        accept=".json"
        icon={<UploadOutlined />}
        onFile={(file) => void open(file)}
      />
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
