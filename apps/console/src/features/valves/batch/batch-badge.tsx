import { CheckCircleOutlined, PauseCircleOutlined, StopOutlined, SyncOutlined } from '@ant-design/icons'
import type { BatchState } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'

const looks: BadgeLooks<BatchState> = {
  running: { tone: 'accent', icon: <SyncOutlined /> },
  paused: { tone: 'caution', icon: <PauseCircleOutlined /> },
  cancelled: { tone: 'muted', icon: <StopOutlined /> },
  finished: { tone: 'good', icon: <CheckCircleOutlined /> },
}

/** The state of a batch, as icon and text. */
export function BatchBadge({ state }: { readonly state: BatchState }) {
  const { t } = useTranslation('valves')
  return <Badge {...looks[state]}>{t(`batchState.${state}`)}</Badge>
}
