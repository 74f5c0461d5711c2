import type { RoomRules } from '@isotherm/contract/rooms/room-bands'
import type { HeatScale } from '../../../shared/section/heat-scale.ts'

/** Distance from the limits at which a colour is strongest, K. */
const STRONG_K = 3

/** Colours of room temperatures: none in the middle between the limits, strongest beyond them. */
export const toRoomScale = ({ coldC, hotC }: RoomRules): HeatScale => ({
  low: coldC - STRONG_K,
  high: hotC + STRONG_K,
})
