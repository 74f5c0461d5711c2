import { Alert, Modal } from 'antd'
import { type ReactNode, use, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../api/api-error.ts'
import { CameraView } from './camera-view.tsx'
import { PhotoButton } from './photo-button.tsx'
import { readCode } from './read-code.ts'
import styles from './scan.module.css'
import { type Judgement, type Scan, ScanContext } from './scan-context.ts'

/** Maximum length of a scanned text in a message, characters. */
const SHOWN = 80

/** Scans a code by the camera or in a photo. It stays open until a code fits. */
export default function ScanDialog(): ReactNode {
  const scan = use(ScanContext)
  return (
    <Modal
      open={scan !== undefined}
      title={scan?.title}
      footer={null}
      width={480}
      onCancel={() => scan?.onClose()}
      destroyOnHidden
    >
      {scan && <Scanner {...scan} />}
    </Modal>
  )
}

function Scanner({ onCode, onClose }: Scan): ReactNode {
  const { t } = useTranslation('common')
  const [fault, setFault] = useState<string>()
  /** The text that is being or was last judged: the camera sees the same code many times. */
  const judged = useRef<string>(undefined)
  /** The judgement that runs. The camera waits for it; a photo replaces it. */
  const running = useRef<symbol>(undefined)
  const isClosed = useRef(false)
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])
  const judge = async (text: string): Promise<Judgement> => {
    const code = readCode(text)
    if (code.kind === 'unknown') return t('scan.unknown', { text: text.slice(0, SHOWN) })
    try {
      return await onCode(code, text)
    } catch (error) {
      return toFailureText(error)
    }
  }
  const take = async (text: string) => {
    const own = Symbol(text)
    judged.current = text
    running.current = own
    const found = await judge(text)
    if (isClosed.current || running.current !== own) return
    running.current = undefined
    if (typeof found === 'string') {
      setFault(found)
      return
    }
    found()
    onClose()
  }
  return (
    <div className={styles.dialog}>
      <CameraView
        onText={(text) => {
          if (running.current === undefined && text !== judged.current) void take(text)
        }}
      />
      {fault !== undefined && <Alert type="warning" showIcon title={fault} data-testid="scan-fault" />}
      <PhotoButton onText={(text) => void take(text)} onFault={setFault} />
    </div>
  )
}
