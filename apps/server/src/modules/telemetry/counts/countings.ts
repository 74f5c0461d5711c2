import { createCountFigures } from './count-figures.ts'
import { type ConditionsNeeds, createConditions, createDeviceCounts } from './device-counts.ts'
import { createMetricValues } from './metric-values.ts'

/** What is counted of all devices by subtree; all of it begins with one look at each of them. */
export function createCountings(needs: ConditionsNeeds) {
  const conditions = createConditions(needs)
  return {
    /** How the devices below paths are: many questions are answered from one counting. */
    openCounts: createDeviceCounts(conditions),
    values: createMetricValues({ ...needs, conditions }),
    /** What the home page says of the devices below paths. */
    countFigures: createCountFigures({ ...needs, conditions }),
  }
}

export type Countings = ReturnType<typeof createCountings>
