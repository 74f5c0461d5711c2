import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../format/address.ts'
import { getLabelled } from './find-scanned.ts'
import type { DeviceNumbers } from './read-code.ts'
import { ScanButton } from './scan-button.tsx'

/** Which number of a device a field holds. */
export type ScannedNumber = keyof DeviceNumbers

/** The number for a field. Many makers print one number only, which then is serial, address and number of a meter. */
const pickNumber: Readonly<Record<ScannedNumber, (numbers: DeviceNumbers) => string | undefined>> = {
  serial: ({ serial, imei, meterNo }) => serial ?? imei ?? meterNo,
  imei: ({ imei }) => imei,
  meterNo: ({ meterNo, serial }) => meterNo ?? serial,
}

interface ScanNumberProps {
  readonly number: ScannedNumber
  readonly testId: string
  readonly onNumber: (number: string) => void
}

/** Button that fills in a number of a new device from the code that its maker printed. */
export function ScanNumber({ number, testId, onNumber }: ScanNumberProps): ReactNode {
  const { t } = useTranslation('common')
  return (
    <ScanButton
      title={t(`scan.title.${number}`)}
      testId={testId}
      onCode={async (code, text) => {
        if (code.kind === 'device') {
          const { name, imei, nestaddr } = await getLabelled(code.id)
          return t('scan.registered', { name, serial: imei, place: toWholeAddress(nestaddr) })
        }
        const found = code.kind === 'numbers' ? pickNumber[number](code.numbers) : undefined
        if (found === undefined) return t(`scan.without.${number}`, { text: text.slice(0, 80) })
        return () => onNumber(found)
      }}
    />
  )
}
