import type { Device } from '@isotherm/contract/devices'
import { getPlace } from '@isotherm/contract/endpoints/network/tree'
import type { NodeKey } from '@isotherm/contract/tree'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { findScanned } from './find-scanned.ts'
import { ScanButton } from './scan-button.tsx'

/** A scanned place. */
export interface ScannedPlace {
  readonly node: NodeKey
  readonly nestaddr: string
  /** The device whose place it is; absent if the label is that of the place itself. */
  readonly device?: Device
}

interface ScanPlaceProps {
  readonly testId: string
  readonly onPlace: (place: ScannedPlace) => void
}

/** Button that chooses a place by its label, or that of a device that is mounted there, or the code of the device's maker. */
export function ScanPlace({ testId, onPlace }: ScanPlaceProps): ReactNode {
  const { t } = useTranslation('common')
  return (
    <ScanButton
      title={t('scan.title.place')}
      testId={testId}
      onCode={async (code, text) => {
        if (code.kind === 'place') {
          const place = await call(getPlace, { node: code.node }, { quiet: true })
          return () => onPlace(place)
        }
        const device = await findScanned(code)
        if (!device) return t('scan.noDevice', { text: text.slice(0, 80) })
        return () => onPlace({ node: device.node, nestaddr: device.nestaddr, device })
      }}
    />
  )
}
