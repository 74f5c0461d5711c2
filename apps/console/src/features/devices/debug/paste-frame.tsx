import { parseHex } from '@isotherm/codecs/bytes/hex'
import type { DeviceKind } from '@isotherm/contract/devices'
import { Alert, Input } from 'antd'
import { Suspense, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { LoadingState } from '../../../shared/ui/states.tsx'
import styles from './debug.module.css'

// The decoders of all protocols are loaded for the first frame.
const PastedFrame = lazyView(() => import('./pasted-frame.tsx'))

interface PasteFrameProps {
  readonly kind?: DeviceKind
  /** Id of the profile to start with, for example that of the device's model. */
  readonly profileId?: string | undefined
}

/** A field for a frame, and what the frame in it means. */
export function PasteFrame({ kind, profileId }: PasteFrameProps) {
  const { t } = useTranslation('devices')
  const field = useId()
  const [text, setText] = useState('')
  const isTyped = text.trim() !== ''
  const bytes = useMemo(() => parseHex(text), [text])
  return (
    <div className={styles.paste} data-testid="paste-frame">
      <div className={styles.field}>
        <label htmlFor={field}>{t('frames.label')}</label>
        <Input.TextArea
          id={field}
          value={text}
          autoSize={{ minRows: 2, maxRows: 8 }}
          placeholder={t('frames.placeholder')}
          spellCheck={false}
          className={styles.hex ?? ''}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {!isTyped && <p className={styles.meta}>{t('frames.hint')}</p>}
      {isTyped && bytes === undefined && <Alert type="warning" showIcon title={t('frames.notHex')} />}
      {bytes !== undefined && (
        <Suspense fallback={<LoadingState />}>
          <PastedFrame bytes={bytes} kind={kind} profileId={profileId} />
        </Suspense>
      )}
    </div>
  )
}
