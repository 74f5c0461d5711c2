import { RobotOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../shared/ui/badge.tsx'

/** Badge of a campaign that a strategy started. */
export function StartedBy({ id }: { readonly id: number }) {
  const { t } = useTranslation('balancing')
  return (
    <Badge tone="accent" icon={<RobotOutlined />} title={t('strategy.startedByTitle', { id })}>
      {t('strategy.startedBy', { id })}
    </Badge>
  )
}
