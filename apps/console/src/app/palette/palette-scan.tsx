import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { DEVICE_PATH } from '../../shared/scan/read-code.ts'
import { ScanPart } from '../../shared/scan/scan-part.tsx'
import { showPalette, showScan, usePalette } from './palette-store.ts'

/** Code scanner of the palette: a product label opens its device or place; a maker's number becomes the search text. */
export function PaletteScan(): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const isScanning = usePalette((state) => state.isScanning)
  return (
    <ScanPart
      isOpen={isScanning}
      title={t('scan.title.device')}
      onClose={() => showScan(false)}
      onCode={(code) => () => {
        if (code.kind === 'device') void navigate(`${DEVICE_PATH}?id=${code.id}`)
        else if (code.kind === 'place') void navigate(`${DEVICE_PATH}?node=${encodeURIComponent(code.node)}`)
        else if (code.kind === 'numbers') {
          const { serial, imei, meterNo } = code.numbers
          showPalette(true, serial ?? imei ?? meterNo)
        }
      }}
    />
  )
}
