import { DeleteOutlined } from '@ant-design/icons'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { DeviceKind } from '@isotherm/contract/devices'
import { managingPages } from '@isotherm/contract/endpoints/devices/device-access'
import { addDevProfile, deleteDevProfile } from '@isotherm/contract/endpoints/devices/device-profiles'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { OpenProfile } from '../profiles/open-profile.tsx'
import { type KnownProfile, profilesQuery } from '../profiles/profiles-query.ts'
import { useProfileColumns } from './profile-columns.tsx'
import { ProfileDrawer } from './profile-drawer.tsx'
import { createViewAddress } from './registry-view.ts'
import { ViewSwitch } from './view-switch.tsx'

const address = createViewAddress('profiles', ['name', 'id', 'bus', 'source'])

const toKey = ({ profile }: KnownProfile): string => profile.id

/** Profiles of the kinds of a page: how its devices are read and commanded on their field bus. */
export default function ProfileList({ kinds }: { readonly kinds: readonly [DeviceKind, ...DeviceKind[]] }) {
  const { t } = useTranslation('devices')
  const language = useLanguage()
  const client = useQueryClient()
  const page = useRecordPage<KnownProfile>({
    address,
    queryKey: [...profilesQuery.queryKey, 'of', ...kinds],
    async load() {
      const all = await client.fetchQuery(profilesQuery)
      const own = all.filter(({ profile }) => kinds.includes(profile.kind))
      return { datalist: own, total: own.length }
    },
    toKey,
  })
  const mayAdd = useIsPermitted(managingPages[kinds[0]])
  const columns = useProfileColumns()
  const reload = () => client.invalidateQueries({ queryKey: profilesQuery.queryKey })
  const adding = useMutation({
    mutationFn: (profile: DeviceProfile) => call(addDevProfile, { profile }),
    async onSuccess({ profile }) {
      showNotice('success', t('registry.profileSaved', { name: profile.name[language] }))
      await reload()
      page.change({ open: profile.id })
    },
    onError: (error) => showNotice('error', toFailureText(error)),
  })
  return (
    <>
      <RecordList<KnownProfile>
        name="device-profiles"
        query={page.query}
        toKey={toKey}
        toName={({ profile }) => profile.name[language]}
        columns={columns}
        searchLabel={t('registry.searchProfiles')}
        toSearched={({ profile: { id, name } }) => [id, name.zh, name.en]}
        controls={<ViewSwitch view="profiles" />}
        url={page.url}
        onUrl={page.change}
        actions={
          mayAdd && (
            <OpenProfile
              type="primary"
              label={t('registry.addProfile')}
              loading={adding.isPending}
              onOpened={(profile) => adding.mutate(profile)}
            />
          )
        }
        bulk={[
          {
            key: 'delete',
            label: t('registry.deleteProfile'),
            icon: <DeleteOutlined />,
            danger: true,
            isOffered: ({ stored }) => stored?.abilities.includes('remove') ?? false,
            question: (rows) => t('registry.deleteProfileQuestion', { count: rows.length }),
            act: async ({ stored }) => {
              if (stored) await call(deleteDevProfile, { id: stored.id, version: stored.version })
              await client.invalidateQueries({ queryKey: profilesQuery.queryKey, refetchType: 'none' })
            },
          },
        ]}
      />
      <ProfileDrawer known={page.record} onClose={page.close} onChanged={reload} />
    </>
  )
}
