import type { Room } from '@isotherm/contract/endpoints/monitoring/rooms'
import type { RoomReason } from '@isotherm/contract/rooms/room-reason'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { DeviceFindings } from '../../../shared/devices/device-findings.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import styles from '../rooms.module.css'
import { ComplaintButton } from '../visits/complaint-button.tsx'
import { RoomStateBadge } from './room-state-badge.tsx'
import { useReasonText } from './use-reason-text.ts'

const WIDTH_PX = 480

interface RoomDrawerProps {
  readonly room: Room | undefined
  readonly onClose: () => void
}

/** One room: its value, why it is cold or hot, and what to do about it. */
export function RoomDrawer({ room, onClose }: RoomDrawerProps) {
  return (
    <SideDrawer
      isWanted={room !== undefined}
      title={room && toWholeAddress(room.device.nestaddr)}
      widthPx={WIDTH_PX}
      onClose={onClose}
    >
      {room && <RoomFacts room={room} />}
    </SideDrawer>
  )
}

function RoomFacts({ room }: { readonly room: Room }) {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const mayHistory = useIsPermitted('pr-rthistory')
  const { device, newest, reasons, state } = room
  return (
    <div className={styles.drawer} data-testid="room-drawer">
      <FactList
        className={styles.facts}
        facts={[
          [t('column.state'), <RoomStateBadge key="state" state={state} />],
          [format.metricName('temp.room'), format.metric('temp.room', newest?.roomC)],
          [t('column.age'), format.instant(newest?.at)],
          [t('column.serial'), device.imei],
        ]}
      />
      <section className={styles.why} aria-label={t('drawer.why')}>
        <h3>{t('drawer.why')}</h3>
        {reasons.length === 0 ? (
          <p>{t(state === 'ok' ? 'drawer.fine' : 'drawer.noReason')}</p>
        ) : (
          <ol>
            {reasons.map((reason) => (
              <ReasonItem key={reason.kind} reason={reason} />
            ))}
          </ol>
        )}
      </section>
      {mayHistory && <Link to={`/rtjc/rthistory?devices=${device.id}`}>{t('drawer.history')}</Link>}
      <ComplaintButton key={device.id} deviceId={device.id} />
      <DeviceFindings deviceId={device.id} />
    </div>
  )
}

function ReasonItem({ reason }: { readonly reason: RoomReason }) {
  const { t } = useTranslation('rooms')
  const toText = useReasonText()
  const maySeeValves = useIsPermitted('pe-fmreal')
  return (
    <li>
      <strong>{toText(reason)}</strong>
      <span>{t(`advice.${reason.kind}`)}</span>
      {'deviceId' in reason && reason.deviceId !== undefined && maySeeValves && (
        <Link to={`/ewph/fmreal?valve=${reason.deviceId}`}>{t('drawer.valve')}</Link>
      )}
    </li>
  )
}
