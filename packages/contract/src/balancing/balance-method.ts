import { z } from 'zod'

/**
 * How a balance finds openings: all together by a model of the loop, or each valve by its own return beside the mean of all,
 * a part of the way in each round (the proportional loop of the industry, for returns).
 */
export const balanceMethod = z.enum(['model', 'proportional'])
export type BalanceMethod = z.infer<typeof balanceMethod>

/**
 * How a campaign goes where it is not by the model: rounds of the proportional loop, or a slow trim of valves that
 * have drifted since the last balance, no farther than 10 % from where that left them.
 */
export const roundMethod = z.enum(['proportional', 'slow-trim'])
export type RoundMethod = z.infer<typeof roundMethod>
