import { CheckCircleOutlined, PauseCircleOutlined, StopOutlined, SyncOutlined } from '@ant-design/icons'
import type { BatchState } from '@isotherm/contract/command'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from '../../../shared/ui/trust-badge.tsx'

const looks: Readonly<Record<BatchState, { readonly tone: Tone; readonly Icon: ComponentType }>> = {
  running: { tone: 'accent', Icon: SyncOutlined },
  paused: { tone: 'caution', Icon: PauseCircleOutlined },
  cancelled: { tone: 'muted', Icon: StopOutlined },
  finished: { tone: 'good', Icon: CheckCircleOutlined },
}

/** A batch's state by icon and words. */
export function BatchBadge({ state }: { readonly state: BatchState }) {
  const { t } = useTranslation('valves')
  const { tone, Icon } = looks[state]
  return (
    <Badge tone={tone} icon={<Icon />}>
      {t(`batchState.${state}`)}
    </Badge>
  )
}
