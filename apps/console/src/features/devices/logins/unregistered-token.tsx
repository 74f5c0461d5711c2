import { topicPart } from '@isotherm/contract/mqtt'
import { Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { MakeToken } from './make-token.tsx'
import styles from './token.module.css'
import { WithdrawUnregistered } from './withdraw-unregistered.tsx'

interface UnregisteredTokenProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Dialog for a one-time token of a gateway that connects before it is registered. */
export default function UnregisteredToken({ isOpen, onClose }: UnregisteredTokenProps) {
  const { t } = useTranslation('devices')
  const [serial, setSerial] = useState('')
  const [node, ...others] = useSelectedNodes() ?? []
  const isComplete = topicPart.safeParse(serial).success && node !== undefined && others.length === 0
  const target = isComplete ? { serial, node } : undefined
  return (
    <Modal
      open={isOpen}
      title={t('login.token.unregistered')}
      footer={null}
      onCancel={onClose}
      afterClose={() => setSerial('')}
      destroyOnHidden
    >
      <p>{t('login.token.means')}</p>
      <p>{t('login.token.project')}</p>
      <div className={styles.section}>
        <Input
          aria-label={t('login.token.serial')}
          placeholder={t('login.token.serial')}
          value={serial}
          data-testid="token-serial"
          onChange={({ target }) => setSerial(target.value.trim())}
        />
      </div>
      <MakeToken key={serial} target={target} />
      <WithdrawUnregistered key={`withdraw ${serial}`} target={target} />
    </Modal>
  )
}
