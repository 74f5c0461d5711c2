import { z } from 'zod'

/**
 * How balancing finds openings. `model`: all valves together by a model of the loop. `proportional`: each valve by the
 * difference between its return and the mean of all, a part of the correction in each round (as usual in the industry).
 */
export const balanceMethod = z.enum(['model', 'proportional'])
export type BalanceMethod = z.infer<typeof balanceMethod>

/**
 * How a campaign without the model works: rounds of the proportional loop, or a slow trim of valves that have drifted
 * since the last campaign, by at most 10 % from the opening it left.
 */
export const roundMethod = z.enum(['proportional', 'slow-trim'])
export type RoundMethod = z.infer<typeof roundMethod>
