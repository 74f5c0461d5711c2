import type { LiveEvent } from '@isotherm/contract/live'

/** The begin or end of a hold. */
export type HoldEvent = Extract<LiveEvent, { type: 'hold' }>

/** The holds of an account that another user ended. */
export const findLost = (events: readonly HoldEvent[], account: string | undefined): readonly HoldEvent[] =>
  events.filter(
    ({ hold, ended, by }) =>
      ended !== undefined &&
      ended !== 'expired' &&
      hold.actor === account &&
      by !== undefined &&
      by !== account,
  )
