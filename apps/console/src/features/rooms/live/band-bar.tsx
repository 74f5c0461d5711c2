import type { RoomCounts } from '@isotherm/contract/endpoints/monitoring/rooms'
import { listRoomBands, type RoomRules } from '@isotherm/contract/rooms/room-bands'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toFill, toShare } from '../../../shared/section/heat-scale.ts'
import styles from '../rooms.module.css'
import { toRoomScale } from './room-scale.ts'
import { useBandText } from './use-band-text.ts'

interface BandBarProps {
  readonly counts: RoomCounts
  readonly rules: RoomRules
  /** Number of places below with own rules. */
  readonly otherRules: number
  /** Position of the chosen band. */
  readonly chosen: number | undefined
  readonly onChoose: (band: number | undefined) => void
}

/** Middle of a band for its colour; an outermost band has the colour of its edge. */
const toMiddle = (fromC: number | undefined, toC: number | undefined): number =>
  ((fromC ?? toC ?? 0) + (toC ?? fromC ?? 0)) / 2

/** Rooms by band, the coldest first. Each band filters the list. */
export function BandBar({ counts, rules, otherRules, chosen, onChoose }: BandBarProps) {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const toText = useBandText()
  const trusted = counts.bands.reduce((sum, rooms) => sum + rooms, 0)
  const scale = toRoomScale(rules)
  const warm = trusted - counts.cold
  const percent = (rooms: number) => format.number(trusted === 0 ? undefined : (rooms / trusted) * 100, 1)
  return (
    <div className={styles.bands}>
      <div role="toolbar" aria-label={t('band.label')}>
        {listRoomBands(rules.edgesC).map((band, at) => {
          const rooms = counts.bands[at] ?? 0
          const name = toText(band)
          return (
            <button
              key={name}
              type="button"
              aria-pressed={chosen === at}
              data-testid={`room-band-${at}`}
              title={t('band.title', { band: name, count: rooms, share: percent(rooms) })}
              style={{
                flexGrow: trusted === 0 ? 0 : rooms / trusted,
                background: toFill(toShare(toMiddle(band.fromC, band.toC), scale)),
              }}
              onClick={() => onChoose(chosen === at ? undefined : at)}
            >
              <span>{name}</span>
              <strong>{format.number(rooms, 0)}</strong>
            </button>
          )
        })}
      </div>
      <p>
        <span title={t('summary.passTitle', { warm, trusted })} data-testid="room-pass-share">
          {otherRules > 0
            ? t('summary.passOwn', { share: percent(warm) })
            : t('summary.pass', { share: percent(warm), coldC: rules.coldC })}
        </span>
        <span>{t('summary.median', { value: format.metric('temp.room', counts.medianC) })}</span>
        <span>
          {t('summary.trusted', {
            trusted: format.number(trusted, 0),
            rooms: format.number(counts.rooms, 0),
          })}
        </span>
      </p>
    </div>
  )
}
