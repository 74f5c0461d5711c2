import { BellFilled, CheckCircleOutlined, CheckOutlined, MinusCircleOutlined } from '@ant-design/icons'
import type { AlarmState } from '@isotherm/contract/alarms'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from '../../shared/ui/trust-badge.tsx'

const looks: Readonly<Record<AlarmState, { readonly tone: Tone; readonly Icon: ComponentType }>> = {
  active: { tone: 'alarm', Icon: BellFilled },
  'active-acknowledged': { tone: 'accent', Icon: CheckOutlined },
  cleared: { tone: 'good', Icon: CheckCircleOutlined },
  ended: { tone: 'muted', Icon: MinusCircleOutlined },
}

/** How far an alarm is, by icon and words. */
export function StateBadge({ state }: { readonly state: AlarmState }) {
  const { t } = useTranslation('alarms')
  const { tone, Icon } = looks[state]
  return (
    <Badge tone={tone} icon={<Icon />}>
      {t(`state.${state}`)}
    </Badge>
  )
}
