import { topicPart } from '@isotherm/contract/mqtt'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { MakeToken } from './make-token.tsx'
import styles from './token.module.css'
import { WithdrawUnregistered } from './withdraw-unregistered.tsx'

/** A one-time token for a gateway that connects before it is registered. */
export function UnregisteredToken() {
  const { t } = useTranslation('devices')
  const [isOpen, setOpen] = useState(false)
  const [serial, setSerial] = useState('')
  const [node, ...others] = useSelectedNodes() ?? []
  const isComplete = topicPart.safeParse(serial).success && node !== undefined && others.length === 0
  const target = isComplete ? { serial, node } : undefined
  return (
    <>
      <Button data-testid="token-open" onClick={() => setOpen(true)}>
        {t('login.token.open')}
      </Button>
      <Modal
        open={isOpen}
        title={t('login.token.unregistered')}
        footer={null}
        onCancel={() => setOpen(false)}
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
    </>
  )
}
