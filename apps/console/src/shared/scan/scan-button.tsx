import { QrcodeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Scan } from './scan-context.ts'
import { ScanPart } from './scan-part.tsx'

interface ScanButtonProps extends Pick<Scan, 'title' | 'onCode'> {
  readonly testId: string
}

/** Button beside a field that fills it in from a scanned code. */
export function ScanButton({ title, onCode, testId }: ScanButtonProps): ReactNode {
  const { t } = useTranslation('common')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={<QrcodeOutlined />}
        aria-label={title}
        aria-haspopup="dialog"
        data-testid={testId}
        onClick={() => setOpen(true)}
      >
        {t('scan.open')}
      </Button>
      <ScanPart isOpen={isOpen} title={title} onCode={onCode} onClose={() => setOpen(false)} />
    </>
  )
}
