import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../../shared/format/address.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { ForecastCell, OpeningCell, ReturnCell, RoomCell } from './member-cells.tsx'
import { MemberNote } from './member-note.tsx'
import styles from './members.module.css'

/** The valves of a campaign as cards, for narrow screens. */
export function MemberCards({ members }: { readonly members: readonly CampaignMember[] }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return (
    <ul className={styles.cards}>
      {members.map((member) => {
        const { deviceId, nestaddr, before, expected, after } = member
        const measured = (value: number | undefined, decimals: number) =>
          value === undefined
            ? ''
            : ` · ${t('campaign.members.after', { value: format.number(value, decimals) })}`
        return (
          <li key={deviceId} data-testid={`member-${deviceId}`}>
            <strong title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</strong>
            <dl>
              <dt>{t('campaign.members.opening')}</dt>
              <dd>
                <OpeningCell member={member} />
              </dd>
              <dt>{t('campaign.members.return')}</dt>
              <dd>
                <ReturnCell member={member} />
                {measured(after?.returnC, 1)}
              </dd>
              <dt>{t('campaign.members.room')}</dt>
              <dd>
                <RoomCell member={member} />
                {measured(after?.roomC, 1)}
              </dd>
              <dt>{t('campaign.members.flow')}</dt>
              <dd>
                <ForecastCell before={before.flowM3H} expected={expected.flowM3H} decimals={3} />
                {measured(after?.flowM3H, 3)}
              </dd>
            </dl>
            <MemberNote member={member} />
          </li>
        )
      })}
    </ul>
  )
}
