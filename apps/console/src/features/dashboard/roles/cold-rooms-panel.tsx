import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useLiveRooms } from '../../../shared/devices/use-live-rooms.ts'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from '../dashboard.module.css'
import { coldRoomsQuery } from '../queries.ts'

/** The coldest rooms below the limit of their rules; the panel leads to all of them. Hidden if there are no room sensors. */
export function ColdRoomsPanel({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const mayControl = useIsPermitted('pr-rtalarm')
  const rooms = useLiveRooms(useQuery(coldRoomsQuery(nodes)))
  if (rooms.data?.counts.rooms === 0) return null
  const cold = rooms.data?.counts.cold
  return (
    <Panel
      title={cold === undefined ? t('tile.coldRooms') : t('tile.coldRoomsCount', { count: cold })}
      extra={<Link to={mayControl ? '/rtjc/rtalarm' : '/rtjc/rtreal?state=cold'}>{t('open')}</Link>}
    >
      <Answer query={rooms}>
        {({ datalist }) =>
          datalist.length === 0 ? (
            <EmptyState title={t('noColdRooms')} />
          ) : (
            <ul className={styles.lines} data-testid="home-cold-rooms">
              {datalist.map(({ device, newest }) => (
                <li key={device.id} data-testid={`home-cold-room-${device.id}`}>
                  <strong>{format.metric('temp.room', newest?.roomC)}</strong>
                  <span className={styles.place} title={toWholeAddress(device.nestaddr)}>
                    {toCompactAddress(device.nestaddr)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Panel>
  )
}
