import { EditOutlined, PauseCircleOutlined, PlayCircleOutlined, StopOutlined } from '@ant-design/icons'
import type { StrategyState } from '@isotherm/contract/balancing/strategies'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'

const looks: BadgeLooks<StrategyState> = {
  draft: { tone: 'muted', icon: <EditOutlined /> },
  running: { tone: 'good', icon: <PlayCircleOutlined /> },
  paused: { tone: 'caution', icon: <PauseCircleOutlined /> },
  ended: { tone: 'muted', icon: <StopOutlined /> },
}

/** State of a strategy as icon and text. */
export function StrategyBadge({ state }: { readonly state: StrategyState }) {
  const { t } = useTranslation('balancing')
  return (
    <Badge {...looks[state]}>
      <span data-testid={`strategy-state-${state}`}>{t(`strategy.state.${state}`)}</span>
    </Badge>
  )
}
