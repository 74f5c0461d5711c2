import type { ValveHold } from '@isotherm/contract/command'
import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { toHeldText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CardFoot, CardHead } from '../lists/card-lines.tsx'
import { HoldBadge } from './hold-badge.tsx'

interface HoldCardProps {
  readonly hold: ValveHold
  /** Undefined if the user may not release it. */
  readonly onChoose: ((isChosen: boolean) => void) | undefined
  readonly isChosen: boolean
}

/** One hold as a card, for a narrow screen. */
export function HoldCard({ hold, onChoose, isChosen }: HoldCardProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { nestaddr, until, actor, reason } = hold
  const place = <strong title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</strong>
  return (
    <>
      <CardHead>
        {onChoose ? (
          <Checkbox checked={isChosen} onChange={(event) => onChoose(event.target.checked)}>
            {place}
          </Checkbox>
        ) : (
          place
        )}
        <HoldBadge hold={hold} />
      </CardHead>
      <CardHead>
        <span>{toHeldText(format, hold)}</span>
        <span>{t('hold.untilInstant', { instant: format.instant(until) })}</span>
      </CardHead>
      <CardFoot parts={[actor, reason]} />
    </>
  )
}
