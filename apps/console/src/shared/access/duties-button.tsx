import { SafetyCertificateOutlined } from '@ant-design/icons'
import { getDuties } from '@isotherm/contract/endpoints/administration/duties'
import { useQuery } from '@tanstack/react-query'
import { Button, Popover } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { Answer } from '../ui/answer.tsx'
import styles from './access.module.css'

/** Says whether the duties of administrators are separate, what that means, and where it is changed: not here. */
export function DutiesButton() {
  const { t } = useTranslation('common')
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={setOpen}
      title={t('duties.title')}
      content={isOpen && <DutiesState />}
    >
      <Button icon={<SafetyCertificateOutlined />} data-testid="duties">
        {t('duties.title')}
      </Button>
    </Popover>
  )
}

function DutiesState() {
  const { t } = useTranslation('common')
  const query = useQuery({
    queryKey: ['duties'],
    queryFn: ({ signal }) => call(getDuties, {}, { signal }),
  })
  return (
    <div className={styles.duties} data-testid="duties-state">
      <Answer query={query}>
        {({ areSeparate }) => (
          <>
            <strong>{t(areSeparate ? 'duties.on' : 'duties.off')}</strong>
            <p>{t(areSeparate ? 'duties.onMeans' : 'duties.offMeans')}</p>
            <p>{t('duties.change')}</p>
          </>
        )}
      </Answer>
    </div>
  )
}
