import { BellFilled, CheckCircleOutlined, CheckOutlined, MinusCircleOutlined } from '@ant-design/icons'
import type { AlarmState } from '@isotherm/contract/alarms/alarms'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'

const looks: BadgeLooks<AlarmState> = {
  active: { tone: 'alarm', icon: <BellFilled /> },
  'active-acknowledged': { tone: 'accent', icon: <CheckOutlined /> },
  cleared: { tone: 'good', icon: <CheckCircleOutlined /> },
  ended: { tone: 'muted', icon: <MinusCircleOutlined /> },
}

/** The state of an alarm, as icon and text. */
export function StateBadge({ state }: { readonly state: AlarmState }) {
  const { t } = useTranslation('alarms')
  return <Badge {...looks[state]}>{t(`state.${state}`)}</Badge>
}
