import type { DeviceKind } from '@isotherm/contract/devices'
import type { DeviceModel } from '@isotherm/contract/endpoints/devices/device-models'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FormField } from '../../../shared/form/form-field.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { profilesQuery } from '../profiles/profiles-query.ts'

/** Name of a profile by its id; the id if it is not known. */
export function useProfileName(): (id: string | undefined) => string {
  const language = useLanguage()
  const { data = [] } = useQuery(profilesQuery)
  return (id) => data.find(({ profile }) => profile.id === id)?.profile.name[language] ?? id ?? ''
}

export function useModelColumns(kinds: readonly DeviceKind[]): readonly RecordColumn<DeviceModel>[] {
  const { t } = useTranslation(['devices', 'common'])
  const toProfile = useProfileName()
  const toKind = ({ kind }: DeviceModel) => t(`deviceKind.${kind}`, { ns: 'common' })
  const column = (key: string, title: string, widthPx: number, value: (row: DeviceModel) => string) => ({
    key,
    title,
    widthPx,
    value,
    render: value,
  })
  return [
    column('name', t('column.model'), 200, ({ name }) => name),
    ...(kinds.length > 1 ? [column('kind', t('column.kind'), 160, toKind)] : []),
    column('maker', t('registry.maker'), 200, ({ maker }) => maker),
    column('profile', t('registry.profile'), 260, ({ profile }) => toProfile(profile)),
    column('description', t('edit.description'), 320, ({ description }) => description),
  ]
}

/** Fields of a model; its kind only for a new one. */
export function useModelFields(kinds: readonly DeviceKind[]) {
  const { t } = useTranslation(['devices', 'common'])
  const language = useLanguage()
  const { data = [] } = useQuery(profilesQuery)
  const profiles = data.filter(({ profile }) => kinds.includes(profile.kind))
  const common = [
    { name: 'name', label: t('column.model'), control: 'text' },
    { name: 'maker', label: t('registry.maker'), control: 'text', emptyAs: '' },
    {
      name: 'profile',
      label: t('registry.profile'),
      hint: t('registry.profileHint'),
      control: 'select',
      options: profiles.map(({ profile: { id, name } }) => ({
        value: id,
        label: `${name[language]} (${id})`,
      })),
    },
    { name: 'description', label: t('edit.description'), control: 'area', emptyAs: '' },
  ] as const satisfies readonly FormField<string>[]
  const kind = {
    name: 'kind',
    label: t('column.kind'),
    control: 'select',
    options: kinds.map((value) => ({ value, label: t(`deviceKind.${value}`, { ns: 'common' }) })),
  } as const satisfies FormField<string>
  return {
    added: kinds.length > 1 ? [kind, ...common] : common,
    edited: common.map((field) => (field.name === 'profile' ? { ...field, emptyAs: null } : field)),
  }
}
