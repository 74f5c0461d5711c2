import { DownloadOutlined } from '@ant-design/icons'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { editDevProfile } from '@isotherm/contract/endpoints/devices/device-profiles'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { ChangeHistory } from '../../../shared/records/change-history.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { PasteFrame } from '../debug/paste-frame.tsx'
import { OpenProfile } from '../profiles/open-profile.tsx'
import type { KnownProfile } from '../profiles/profiles-query.ts'
import { saveProfile } from '../profiles/save-profile.ts'
import styles from './models.module.css'
import { useProfileColumns } from './profile-columns.tsx'

interface ProfileDrawerProps {
  /** Undefined while the drawer is closed. */
  readonly known: KnownProfile | undefined
  readonly onClose: () => void
  readonly onChanged: () => Promise<void>
}

const DRAWER_PX = 760

/** Drawer of a profile: its facts, its file, what it reads from a pasted frame, and its history. */
export function ProfileDrawer({ known, onClose, onChanged }: ProfileDrawerProps) {
  const language = useLanguage()
  return (
    <SideDrawer
      isWanted={known !== undefined}
      title={known?.profile.name[language]}
      widthPx={DRAWER_PX}
      onClose={onClose}
    >
      {known && <ProfileView key={known.profile.id} known={known} onChanged={onChanged} />}
    </SideDrawer>
  )
}

function ProfileView({
  known,
  onChanged,
}: Omit<ProfileDrawerProps, 'onClose'> & { readonly known: KnownProfile }) {
  const { profile, stored } = known
  const { t } = useTranslation('devices')
  const language = useLanguage()
  const columns = useProfileColumns()
  const replacing = useMutation({
    mutationFn: (next: DeviceProfile) =>
      call(editDevProfile, { id: stored?.id ?? 0, version: stored?.version ?? 0, profile: next }),
    async onSuccess(changed) {
      showNotice('success', t('registry.profileSaved', { name: changed.profile.name[language] }))
      await onChanged()
    },
  })
  return (
    <>
      <FactList
        className={styles.facts}
        facts={columns.map(({ title, render }) => [title, render(known)] as const)}
      />
      <div className={styles.buttons}>
        <Button icon={<DownloadOutlined />} onClick={() => saveProfile(profile)}>
          {t('frames.saveProfile')}
        </Button>
        {stored?.abilities.includes('edit') && (
          <OpenProfile
            label={t('registry.replaceProfile')}
            loading={replacing.isPending}
            onOpened={(next) => replacing.mutate(next)}
          />
        )}
      </div>
      {replacing.error && <Alert type="error" showIcon title={toFailureText(replacing.error)} />}
      {!stored && <p className={styles.note}>{t('registry.builtInMeans')}</p>}
      <h3>{t('frames.title')}</h3>
      <PasteFrame kind={profile.kind} profileId={profile.id} />
      {stored && <ChangeHistory entity="device-profile" entityId={String(stored.id)} />}
    </>
  )
}
