import { CheckCircleOutlined, CloseCircleOutlined, StopOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { Badge, type BadgeLooks } from './badge.tsx'

/** `on`: enabled or successful; `off`: disabled on purpose; `failed`: needs attention. */
export type SimpleState = 'on' | 'off' | 'failed'

const looks: BadgeLooks<SimpleState> = {
  on: { tone: 'good', icon: <CheckCircleOutlined /> },
  off: { tone: 'muted', icon: <StopOutlined /> },
  failed: { tone: 'alarm', icon: <CloseCircleOutlined /> },
}

interface StateBadgeProps {
  readonly state: SimpleState
  readonly children: ReactNode
}

/** State of a record: enabled or not, succeeded or not. */
export function StateBadge({ state, children }: StateBadgeProps) {
  return <Badge {...looks[state]}>{children}</Badge>
}
