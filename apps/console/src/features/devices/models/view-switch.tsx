import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type RegistryView, registryViews, toRegistrySearch } from './registry-view.ts'

/** Switches between the devices of a page, their models and the profiles. */
export function ViewSwitch({ view }: { readonly view: RegistryView }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  return (
    <Segmented<RegistryView>
      aria-label={t('registry.view')}
      value={view}
      options={registryViews.map((value) => ({ value, label: t(`registry.views.${value}`) }))}
      onChange={(next) => void navigate({ search: toRegistrySearch(next) })}
    />
  )
}
