import type { RoomRules } from '@isotherm/contract/rooms/room-bands'

/** Refund rules of ordinances as a starting point; each company checks those of its own place. */
export const refundExamples: Readonly<Record<'heilongjiang' | 'xian', Pick<RoomRules, 'coldC' | 'refunds'>>> =
  {
    heilongjiang: {
      coldC: 20,
      refunds: [
        { belowC: 20, percent: 10 },
        { belowC: 18, percent: 30 },
        { belowC: 16, percent: 50 },
        { belowC: 14, percent: 100 },
      ],
    },
    xian: {
      coldC: 18,
      refunds: [
        { belowC: 18, percent: 20 },
        { belowC: 16, percent: 50 },
        { belowC: 14, percent: 100 },
      ],
    },
  }
