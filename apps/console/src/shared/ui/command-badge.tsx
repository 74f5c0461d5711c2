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
import type { CommandState } from '@isotherm/contract/command'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge, type Tone } from './trust-badge.tsx'

/** Shape and tone of each state of a command. */
export const commandLooks: Readonly<
  Record<CommandState, { readonly tone: Tone; readonly Icon: ComponentType }>
> = {
  queued: { tone: 'accent', Icon: HourglassOutlined },
  sent: { tone: 'accent', Icon: SendOutlined },
  delivered: { tone: 'accent', Icon: InboxOutlined },
  accepted: { tone: 'accent', Icon: CheckOutlined },
  done: { tone: 'accent', Icon: SyncOutlined },
  confirmed: { tone: 'good', Icon: CheckCircleFilled },
  failed: { tone: 'alarm', Icon: CloseCircleFilled },
  expired: { tone: 'caution', Icon: ClockCircleOutlined },
  superseded: { tone: 'muted', Icon: SwapOutlined },
  cancelled: { tone: 'muted', Icon: StopOutlined },
  unknown: { tone: 'caution', Icon: QuestionCircleFilled },
}

/** A command's state by icon and words. */
export function CommandBadge({ state }: { readonly state: CommandState }) {
  const { t } = useTranslation('common')
  const { tone, Icon } = commandLooks[state]
  return (
    <Badge tone={tone} icon={<Icon />}>
      {t(`commandState.${state}`)}
    </Badge>
  )
}
