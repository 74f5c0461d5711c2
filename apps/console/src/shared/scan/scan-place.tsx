import type { Device } from '@isotherm/contract/devices'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { findScanned } from './find-scanned.ts'
import { ScanButton } from './scan-button.tsx'

interface ScanPlaceProps {
  readonly testId: string
  /** Takes the device whose place is chosen. */
  readonly onPlace: (device: Device) => void
}

/** Button that chooses the place of a device that is mounted already, by its label or the code of its maker. */
export function ScanPlace({ testId, onPlace }: ScanPlaceProps): ReactNode {
  const { t } = useTranslation('common')
  return (
    <ScanButton
      title={t('scan.title.place')}
      testId={testId}
      onCode={async (code, text) => {
        const device = await findScanned(code)
        if (!device) return t('scan.noDevice', { text: text.slice(0, 80) })
        return () => onPlace(device)
      }}
    />
  )
}
