import { RobotOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../shared/ui/trust-badge.tsx'

/** Marks what a strategy began by itself. */
export function StartedBy({ id }: { readonly id: number }) {
  const { t } = useTranslation('balancing')
  return (
    <Badge tone="accent" icon={<RobotOutlined />} title={t('strategy.startedByTitle', { id })}>
      {t('strategy.startedBy', { id })}
    </Badge>
  )
}
