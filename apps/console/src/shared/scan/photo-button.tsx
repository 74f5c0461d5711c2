import { CameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findInPhoto } from './decode-picture.ts'

interface PhotoButtonProps {
  readonly onText: (text: string) => void
  readonly onFault: (fault: string) => void
}

/** Takes or chooses a photo of a code: on a phone with its camera, elsewhere from the disk. Needs no secure page. */
export function PhotoButton({ onText, onFault }: PhotoButtonProps): ReactNode {
  const { t } = useTranslation('common')
  const input = useRef<HTMLInputElement>(null)
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
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t('scan.photo')}
        data-testid="scan-file"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same photo may be chosen again.
          target.value = ''
          if (file) void read(file)
        }}
      />
      <Button
        icon={<CameraOutlined />}
        loading={isBusy}
        data-testid="scan-photo"
        onClick={() => input.current?.click()}
      >
        {t('scan.photo')}
      </Button>
    </>
  )
}
