import { PrinterOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import { Button, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Printed } from '../../../shared/print/printed.tsx'
import { DeviceLabels, type Paper, papers } from './device-labels.tsx'
import styles from './labels.module.css'

/** Labels of the preview; the others look alike. */
const PREVIEWED = 6

interface LabelsDialogProps {
  /** The devices to print labels of; empty while the dialog is closed. */
  readonly devices: readonly Device[]
  readonly onClose: () => void
}

/** Shows labels of devices and prints them by the browser. */
export function LabelsDialog({ devices, onClose }: LabelsDialogProps) {
  const { t } = useTranslation('devices')
  const [paper, setPaper] = useState<Paper>('roll')
  return (
    <Modal
      open={devices.length > 0}
      title={t('labels.title', { count: devices.length })}
      onCancel={onClose}
      footer={
        <Button
          type="primary"
          icon={<PrinterOutlined />}
          data-testid="labels-print"
          onClick={() => window.print()}
        >
          {t('labels.print')}
        </Button>
      }
      destroyOnHidden
    >
      <div className={styles.dialog}>
        <Segmented
          aria-label={t('labels.paper')}
          value={paper}
          options={papers.map((value) => ({ value, label: t(`labels.papers.${value}`) }))}
          onChange={setPaper}
        />
        <p>{t('labels.means')}</p>
        <div className={styles.preview}>
          <DeviceLabels devices={devices.slice(0, PREVIEWED)} paper={paper} />
        </div>
        {devices.length > PREVIEWED && <p>{t('labels.more', { count: devices.length - PREVIEWED })}</p>}
      </div>
      <Printed>
        <DeviceLabels devices={devices} paper={paper} />
      </Printed>
    </Modal>
  )
}
