import { DownloadOutlined } from '@ant-design/icons'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { Button, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { OpenProfile } from '../profiles/open-profile.tsx'
import { saveProfile } from '../profiles/save-profile.ts'
import styles from './debug.module.css'

interface ProfileChoiceProps {
  readonly profiles: readonly DeviceProfile[]
  readonly value: DeviceProfile | undefined
  readonly onChoose: (id: string) => void
  /** A profile from a file, which is used until the page is left. */
  readonly onOpened: (profile: DeviceProfile) => void
}

/** Chooses a device profile, opens one from a file to try it, and saves the chosen one as a file to change it. */
export function ProfileChoice({ profiles, value, onChoose, onOpened }: ProfileChoiceProps) {
  const { t } = useTranslation('devices')
  const language = useLanguage()
  return (
    <div className={styles.field}>
      <Select
        aria-label={t('frames.profile')}
        data-testid="paste-profile"
        value={value?.id ?? null}
        options={profiles.map(({ id, name }) => ({ value: id, label: name[language] }))}
        onChange={onChoose}
      />
      <div className={styles.line}>
        <OpenProfile size="small" label={t('frames.openProfile')} onOpened={onOpened} />
        {value && (
          <Button size="small" icon={<DownloadOutlined />} onClick={() => saveProfile(value)}>
            {t('frames.saveProfile')}
          </Button>
        )}
      </div>
    </div>
  )
}
