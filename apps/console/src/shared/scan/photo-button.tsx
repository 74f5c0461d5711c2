import { CameraOutlined } from '@ant-design/icons'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileButton } from '../inputs/file-button.tsx'
import { findInPhoto } from './decode-picture.ts'

interface PhotoButtonProps {
  readonly onText: (text: string) => void
  readonly onFault: (fault: string) => void
}

/** Takes or chooses a photo of a code: on a phone with its camera, elsewhere from the disk. Needs no secure page. */
export function PhotoButton({ onText, onFault }: PhotoButtonProps): ReactNode {
  const { t } = useTranslation('common')
  const [isBusy, setBusy] = useState(false)
  const read = async (file: Blob) => {
    setBusy(true)
    try {
      const text = await findInPhoto(file)
      if (text === undefined) onFault(t('scan.noCode'))
      else onText(text)
    } catch (error) {
      console.info('the photo cannot be read', error)
      onFault(t('scan.noPicture'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FileButton
      label={t('scan.photo')}
      accept="image/*"
      hasCamera
      icon={<CameraOutlined />}
      loading={isBusy}
      data-testid="scan-photo"
      inputTestId="scan-file"
      onFile={(file) => void read(file)}
    />
  )
}
