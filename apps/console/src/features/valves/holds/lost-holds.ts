import type { LiveEvent } from '@isotherm/contract/live'

/** That a hold began or ended. */
export type HoldNews = Extract<LiveEvent, { type: 'hold' }>

/** Holds of an account that somebody else ended, which its holder is told of. */
export const findLost = (news: readonly HoldNews[], account: string | undefined): readonly HoldNews[] =>
  news.filter(
    ({ hold, ended, by }) =>
      ended !== undefined &&
      ended !== 'expired' &&
      hold.actor === account &&
      by !== undefined &&
      by !== account,
  )
