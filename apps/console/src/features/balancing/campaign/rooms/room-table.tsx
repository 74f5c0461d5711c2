import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../../shared/format/address.ts'
import { ABSENT, withUnit } from '../../../../shared/format/numbers.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { Panel } from '../../../../shared/ui/page-frame.tsx'
import styles from '../parts/campaign.module.css'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { EstimateBadge } from './estimate-badge.tsx'
import { findColdRooms, toRoomRows } from './room-rows.ts'
import roomStyles from './rooms.module.css'

interface RoomsProps {
  /** A campaign or a dry run. */
  readonly campaign: Pick<CampaignDetail, 'members' | 'indices'>
}

/** Room panel of a campaign; empty without known rooms. */
export function RoomPanel({ campaign }: RoomsProps) {
  const { t } = useTranslation('balancing')
  if (toRoomRows(campaign.members).length === 0) return null
  return (
    <Panel title={t('campaign.rooms.title')}>
      <div className={roomStyles.panel}>
        <RoomTable campaign={campaign} />
      </div>
    </Panel>
  )
}

/** Room temperatures by building, now and predicted in the steady state, with the number of rooms below 18 °C. */
export function RoomTable({ campaign }: RoomsProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const rows = toRoomRows(campaign.members)
  const cold = findColdRooms(campaign)
  const hasAfter = rows.some(({ afterC }) => afterC !== undefined)
  const say = (value: number | undefined) =>
    value === undefined ? ABSENT : withUnit(format.number(value, 1), '°C')
  return (
    <>
      {cold && (
        <p className={roomStyles.cold} data-testid="campaign-cold-rooms">
          {t('campaign.rooms.cold', { ...cold })}
          {cold.worst !== undefined && ` ${t('campaign.rooms.coldWorst', { count: cold.worst })}`}
        </p>
      )}
      <ScrollBox label={t('campaign.rooms.title')}>
        <table className={styles.table} data-testid="campaign-rooms">
          <thead>
            <tr>
              <th scope="col">{t('campaign.rooms.building')}</th>
              <th scope="col" className={styles.number}>
                {t('campaign.rooms.before')}
              </th>
              <th scope="col" className={styles.number}>
                {t('campaign.rooms.expected')}
              </th>
              {hasAfter && (
                <th scope="col" className={styles.number}>
                  {t('campaign.rooms.after')}
                </th>
              )}
              <th scope="col" className={styles.number}>
                {t('campaign.rooms.under18')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row" title={toWholeAddress(row.key)}>
                  {row.key.split(',').slice(-2).join(' / ')}
                </th>
                <td className={styles.number}>
                  {say(row.beforeC)}
                  {row.source === 'estimated' && <EstimateBadge />}
                </td>
                <td className={styles.number}>
                  {say(row.expectedC)}
                  {row.lowC !== undefined && (
                    <small className={styles.worst}>
                      {t('campaign.figures.atLeast', { value: say(row.lowC) })}
                    </small>
                  )}
                </td>
                {hasAfter && <td className={styles.number}>{say(row.afterC)}</td>}
                <td className={styles.number}>
                  {row.rooms === 0
                    ? ABSENT
                    : t('campaign.rooms.counts', {
                        before: row.coldBefore,
                        expected: row.coldExpected,
                        rooms: row.rooms,
                      })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  )
}
