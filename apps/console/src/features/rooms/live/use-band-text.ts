import type { RoomBand } from '@isotherm/contract/rooms/room-bands'
import { useTranslation } from 'react-i18next'

/** Name of a band of room temperatures. */
export function useBandText(): (band: RoomBand) => string {
  const { t } = useTranslation('rooms')
  return ({ fromC, toC }) => {
    if (fromC === undefined) return t('band.below', { to: toC ?? '' })
    return toC === undefined ? t('band.from', { from: fromC }) : t('band.between', { from: fromC, to: toC })
  }
}
