import { PrinterOutlined } from '@ant-design/icons'
import { Button, Modal, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Printed } from '../../../shared/print/printed.tsx'
import { type Label, LabelSheet, type Paper, papers } from './label-sheet.tsx'
import styles from './labels.module.css'

/** Labels of the preview; the others look alike. */
const PREVIEWED = 6

interface LabelsDialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** What a scanned code opens. */
  readonly means: string
  readonly labels: readonly Label[]
  /** Instead of labels, while there are none. */
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** Shows labels and prints them by the browser. */
export default function LabelsDialog({ isOpen, title, means, labels, children, onClose }: LabelsDialogProps) {
  const { t } = useTranslation('devices')
  const [paper, setPaper] = useState<Paper>('roll')
  return (
    <Modal
      open={isOpen}
      title={title}
      onCancel={onClose}
      footer={
        <Button
          type="primary"
          icon={<PrinterOutlined />}
          data-testid="labels-print"
          disabled={labels.length === 0}
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
        <p>{means}</p>
        {children}
        {labels.length > 0 && (
          <div className={styles.preview}>
            <LabelSheet labels={labels.slice(0, PREVIEWED)} paper={paper} />
          </div>
        )}
        {labels.length > PREVIEWED && <p>{t('labels.more', { count: labels.length - PREVIEWED })}</p>}
      </div>
      <Printed>
        <LabelSheet labels={labels} paper={paper} />
      </Printed>
    </Modal>
  )
}
