import { z } from 'zod'

/**
 * How a balance finds openings: all together by a model of the loop, or each valve by its own return beside the mean of all,
 * a part of the way in each round (the proportional loop of the industry, for returns).
 */
export const balanceMethod = z.enum(['model', 'proportional'])
export type BalanceMethod = z.infer<typeof balanceMethod>
