import { CloseOutlined } from '@ant-design/icons'
import type { RefusedGroundFile } from '@isotherm/contract/network/map-ground'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './map.module.css'

interface GroundNoticeProps {
  readonly refused: readonly RefusedGroundFile[]
  /** Names of files that could not be loaded. */
  readonly lostFiles: readonly string[]
}

/** One notice for all map files that are not shown. It stays closed until other files are not shown. */
export function GroundNotice({ refused, lostFiles }: GroundNoticeProps) {
  const { t } = useTranslation('map')
  const [closed, setClosed] = useState('')
  const texts = [
    ...refused.map(({ file, fault }) => t('ground.refused', { file, reason: t(`ground.fault.${fault}`) })),
    ...lostFiles.map((file) => t('ground.failed', { file })),
  ]
  const all = texts.join('\n')
  if (all === closed) return null
  return (
    <div className={styles.notice} role="status">
      {texts.length === 1 ? (
        <span>{texts[0]}</span>
      ) : (
        <details className={styles.files}>
          <summary>{t('ground.several', { count: texts.length })}</summary>
          <ul>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
      <Button
        size="small"
        type="text"
        icon={<CloseOutlined />}
        aria-label={t('ground.close')}
        onClick={() => setClosed(all)}
      />
    </div>
  )
}
