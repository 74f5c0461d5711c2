import {
  CheckCircleFilled,
  CheckOutlined,
  ClockCircleOutlined,
  CloseCircleFilled,
  HourglassOutlined,
  InboxOutlined,
  QuestionCircleFilled,
  SendOutlined,
  StopOutlined,
  SwapOutlined,
  SyncOutlined,
} from '@ant-design/icons'
import type { Command, CommandState } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from './badge.tsx'

/** Icon and tone of each command state. */
export const commandLooks: BadgeLooks<CommandState> = {
  queued: { tone: 'accent', icon: <HourglassOutlined /> },
  sent: { tone: 'accent', icon: <SendOutlined /> },
  delivered: { tone: 'accent', icon: <InboxOutlined /> },
  accepted: { tone: 'accent', icon: <CheckOutlined /> },
  done: { tone: 'accent', icon: <SyncOutlined /> },
  confirmed: { tone: 'good', icon: <CheckCircleFilled /> },
  failed: { tone: 'alarm', icon: <CloseCircleFilled /> },
  expired: { tone: 'caution', icon: <ClockCircleOutlined /> },
  superseded: { tone: 'muted', icon: <SwapOutlined /> },
  cancelled: { tone: 'muted', icon: <StopOutlined /> },
  unknown: { tone: 'caution', icon: <QuestionCircleFilled /> },
}

type CommandStatus = Pick<Command, 'state' | 'kind'>

/** Key of the text of a command state. A confirmed command has different texts for valves, pumps and supplies. */
export const toStateKey = ({ state, kind }: CommandStatus) => {
  if (state === 'confirmed' && kind === 'pump.set') return 'headConfirmed'
  if (state === 'confirmed' && kind === 'supply.set') return 'offsetConfirmed'
  return `commandState.${state}` as const
}

/** State of a command as icon and text. */
export function CommandBadge({ state, kind }: CommandStatus) {
  const { t } = useTranslation('common')
  return <Badge {...commandLooks[state]}>{t(toStateKey({ state, kind }))}</Badge>
}
