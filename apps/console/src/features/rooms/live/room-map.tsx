import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getRooms, Room, RoomState } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CrossSection } from '../../../shared/section/cross-section.tsx'
import { toFill, toShare } from '../../../shared/section/heat-scale.ts'
import { SectionCell } from '../../../shared/section/section-cell.tsx'
import { computeSpread } from '../../../shared/statistics.ts'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from '../rooms.module.css'
import { toRoomScale } from './room-scale.ts'

const lookOf = {
  cold: 'plain',
  ok: 'plain',
  hot: 'plain',
  doubtful: 'outlined',
  silent: 'hatched',
} as const satisfies Record<RoomState, string>

const toPlaced = ({ device }: Room) => device
const toFillOf = (share: number) => toFill(share)

interface RoomMapProps {
  readonly rooms: OutputOf<typeof getRooms>
  readonly onOpen: (room: Room) => void
}

/** Floor heat map of buildings: each room in its place, coloured by its temperature. */
export function RoomMap({ rooms, onOpen }: RoomMapProps) {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const { datalist, total, rules } = rooms
  const scale = toRoomScale(rules)
  if (datalist.length === 0) return <EmptyState title={t('map.none')} />
  const toMean = (inside: readonly Room[]) => {
    const trusted = inside.filter(({ state }) => lookOf[state] === 'plain')
    const spread = computeSpread(trusted.map(({ newest }) => newest?.roomC ?? Number.NaN))
    return format.metric('temp.room', spread?.mean)
  }
  return (
    <div className={styles.map} data-testid="room-map">
      {total > datalist.length && (
        <p role="status">
          {t('map.cut', { shown: format.number(datalist.length, 0), total: format.number(total, 0) })}
        </p>
      )}
      <CrossSection
        rows={datalist}
        toPlaced={toPlaced}
        label={t('map.label')}
        scale={{
          low: format.metric('temp.room', scale.low),
          high: format.metric('temp.room', scale.high),
          fill: toFillOf,
        }}
        hint={t('map.hint')}
        toMean={toMean}
      >
        {(room) => <RoomCell key={room.device.id} room={room} scale={scale} onOpen={onOpen} />}
      </CrossSection>
    </div>
  )
}

interface RoomCellProps extends Pick<RoomMapProps, 'onOpen'> {
  readonly room: Room
  readonly scale: ReturnType<typeof toRoomScale>
}

function RoomCell({ room, scale, onOpen }: RoomCellProps) {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const { device, state, newest } = room
  const isShown = newest !== undefined && state !== 'silent'
  const title = [
    toWholeAddress(device.nestaddr),
    format.metric('temp.room', newest?.roomC),
    t(`state.${state}`),
  ].join(' · ')
  return (
    <SectionCell
      look={lookOf[state]}
      fill={isShown && state !== 'doubtful' ? toFill(toShare(newest.roomC, scale)) : undefined}
      data-testid={`cell-${device.id}`}
      title={title}
      onClick={() => onOpen(room)}
    >
      {format.metricValue('temp.room', isShown ? newest.roomC : undefined)}
    </SectionCell>
  )
}
