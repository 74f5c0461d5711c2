import { PushpinFilled } from '@ant-design/icons'
import type { CommandPriority, ValveHold } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import { toHeldText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Badge, type Tone } from '../../../shared/ui/badge.tsx'

const tones: Readonly<Record<CommandPriority, Tone>> = {
  emergency: 'alarm',
  manual: 'caution',
  schedule: 'accent',
  balancing: 'muted',
}

/** Priority of a hold. The tooltip shows user, end, opening and reason. */
export function HoldBadge({ hold }: { readonly hold: ValveHold }) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { actor, reason, priority, until } = hold
  const texts = [
    t('set.holder', {
      actor,
      priority: t(`order.priorities.${priority}`, { ns: 'common' }),
      instant: format.instant(until),
    }),
    toHeldText(format, hold),
    reason,
  ]
  return (
    <Badge
      tone={tones[priority]}
      icon={<PushpinFilled />}
      title={texts.filter((text) => text !== '').join(' · ')}
    >
      {t('hold.badge', { priority: t(`order.priorities.${priority}`, { ns: 'common' }) })}
    </Badge>
  )
}
