import type { Command, ValveHold } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import { toChangeText, toHeldText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ReleaseButton } from '../../../shared/order/release-button.tsx'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import styles from './station.module.css'

interface HoldTextProps {
  readonly hold: ValveHold
  readonly testId: string
  /** Query key that a release of the hold invalidates; undefined if the user may not release it. */
  readonly releaseKey: readonly unknown[] | undefined
}

/** What is held, by whom, until when and why; with a button to release it. */
export function HoldText({ hold, testId, releaseKey }: HoldTextProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return (
    <span className={styles.last} data-testid={testId}>
      {t('pump.holdText', {
        held: toHeldText(format, hold),
        actor: hold.actor,
        priority: t(`order.priorities.${hold.priority}`, { ns: 'common' }),
        instant: format.instant(hold.until),
      })}
      {hold.reason !== '' && <> · {format.reason(hold.reason)}</>}
      {releaseKey && <ReleaseButton holds={[hold]} queryKey={releaseKey} />}
    </span>
  )
}

/** Old and new value of the last command, its state, who sent it and when. */
export function LastCommand({ command }: { readonly command: Command | undefined }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  if (!command) return t('pump.none')
  return (
    <span className={styles.last}>
      {toChangeText(format, command)} <CommandBadge {...command} /> {command.actor} ·{' '}
      {format.instant(command.createdAt)}
    </span>
  )
}
