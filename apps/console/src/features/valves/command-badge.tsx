import {
  CheckCircleFilled,
  CheckOutlined,
  ClockCircleOutlined,
  CloseCircleFilled,
  InboxOutlined,
  QuestionCircleFilled,
  SendOutlined,
  StopOutlined,
  SwapOutlined,
  SyncOutlined,
} from '@ant-design/icons'
import type { CommandState } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import styles from './valves.module.css'

export const commandIcons = {
  queued: InboxOutlined,
  sent: SendOutlined,
  delivered: InboxOutlined,
  accepted: CheckOutlined,
  done: SyncOutlined,
  confirmed: CheckCircleFilled,
  failed: CloseCircleFilled,
  expired: ClockCircleOutlined,
  superseded: SwapOutlined,
  cancelled: StopOutlined,
  unknown: QuestionCircleFilled,
} as const satisfies Record<CommandState, unknown>

/** A command's state by icon and words. */
export function CommandBadge({ state }: { readonly state: CommandState }) {
  const { t } = useTranslation('valves')
  const Icon = commandIcons[state]
  return (
    <span className={styles.command} data-state={state}>
      <Icon aria-hidden /> {t(`command.state.${state}`)}
    </span>
  )
}
