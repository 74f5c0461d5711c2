import type { Device } from '@isotherm/contract/devices'
import { QRCode } from 'antd'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { DEVICE_PATH } from '../../../shared/scan/read-code.ts'
import styles from './labels.module.css'

/** Papers for labels: a roll of a label printer with 60 × 40 mm, or A4 with 3 × 7 labels of 70 × 42.3 mm. */
export const papers = ['roll', 'sheet'] as const
export type Paper = (typeof papers)[number]

/** CSS of the paper. A rule `@page` cannot stand in a class. */
const pages: Readonly<Record<Paper, string>> = {
  roll: '@page { size: 60mm 40mm; margin: 0 }',
  sheet: '@page { size: A4; margin: 0 }',
}

/** Address of a device's own page, for the camera of a phone. */
export const toDeviceUrl = (id: number): string => new URL(`${DEVICE_PATH}?id=${id}`, location.origin).href

const codeSize = { width: '24mm', height: '24mm', padding: 0 } as const

interface DeviceLabelsProps {
  readonly devices: readonly Device[]
  readonly paper: Paper
}

/** Labels of devices to be printed: a code that opens the device's page, its place, name and serial. */
export function DeviceLabels({ devices, paper }: DeviceLabelsProps) {
  return (
    <>
      <style>{pages[paper]}</style>
      <div className={styles[paper]} data-testid="device-labels">
        {devices.map(({ id, name, nestaddr, imei }) => (
          <div key={id} className={styles.label} data-testid="device-label">
            <div className={styles.code}>
              <QRCode
                type="svg"
                value={toDeviceUrl(id)}
                color="#000"
                bgColor="#fff"
                bordered={false}
                errorLevel="M"
                style={codeSize}
              />
            </div>
            <div className={styles.words}>
              <span>{toCompactAddress(nestaddr)}</span>
              <strong>{name}</strong>
              <span className={styles.serial}>{imei}</span>
            </div>
          </div>
        ))}
      </div>
    </>
  )
}
