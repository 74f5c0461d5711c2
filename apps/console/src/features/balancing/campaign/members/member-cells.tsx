import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { EstimateBadge } from '../rooms/estimate-badge.tsx'
import { sourceOf } from '../rooms/room-rows.ts'
import styles from './members.module.css'
import { isMoved } from './order-figures.ts'

/** Old and new opening, %; one number if unchanged. */
export function OpeningCell({ member }: { readonly member: CampaignMember }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { before, expected } = member
  const say = (value: number) => format.metricValue('valve.opening', value)
  if (!isMoved(member)) return <span className={styles.faint}>{say(before.openingPct)}</span>
  const isOpening = expected.openingPct > before.openingPct
  return (
    <span data-tone={isOpening ? 'open' : 'close'}>
      {t('campaign.members.change', { before: say(before.openingPct), expected: say(expected.openingPct) })}
    </span>
  )
}

interface ForecastCellProps {
  readonly before: number | undefined
  readonly expected: number | undefined
  readonly decimals: number
}

/** Measured and predicted value; one number if equal. */
export function ForecastCell({ before, expected, decimals }: ForecastCellProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const say = (value: number | undefined) => format.number(value, decimals)
  if (expected === undefined || say(before) === say(expected)) return <>{say(before)}</>
  return <>{t('campaign.members.change', { before: say(before), expected: say(expected) })}</>
}

/** Present and predicted mean room temperature, °C, marked if it is estimated. */
export function RoomCell({ member: { before, expected } }: { readonly member: CampaignMember }) {
  return (
    <>
      <ForecastCell before={before.roomC} expected={expected.roomC} decimals={1} />
      {before.roomC !== undefined && sourceOf(before) === 'estimated' && <EstimateBadge />}
    </>
  )
}

/** Present and predicted return temperature with its 80% interval, °C. */
export function ReturnCell({ member: { before, expected } }: { readonly member: CampaignMember }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { returnLowC, returnHighC } = expected
  return (
    <>
      <ForecastCell before={before.returnC} expected={expected.returnC} decimals={1} />
      {returnLowC !== undefined && returnHighC !== undefined && (
        <span className={styles.faint} title={t('campaign.members.rangeHint')}>
          {t('campaign.members.range', {
            low: format.number(returnLowC, 1),
            high: format.number(returnHighC, 1),
          })}
        </span>
      )}
    </>
  )
}
