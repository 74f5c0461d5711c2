import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

const VIEWS = ['interfaces', 'keys', 'backups'] as const
export type InterfaceView = (typeof VIEWS)[number]

/** Name of the view in the address. */
export const VIEW = 'view'

/** Switches between the list of interfaces, that of API keys and that of backups. */
export function ViewSwitch({ view }: { readonly view: InterfaceView }) {
  const { t } = useTranslation('system')
  const navigate = useNavigate()
  return (
    <Segmented<InterfaceView>
      aria-label={t('apiKeys.view')}
      value={view}
      options={VIEWS.map((value) => ({ value, label: t(`apiKeys.views.${value}`) }))}
      onChange={(next) => void navigate({ search: next === 'interfaces' ? '' : `?${VIEW}=${next}` })}
    />
  )
}
