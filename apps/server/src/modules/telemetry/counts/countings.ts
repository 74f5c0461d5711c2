import { createCountFigures } from './count-figures.ts'
import { type ConditionsNeeds, createConditions, createDeviceCounts } from './device-counts.ts'
import { createListValues } from './list-values.ts'
import { createMetricValues } from './metric-values.ts'

/** Counts over all devices by subtree. All of them use the same snapshot of conditions. */
export function createCountings(needs: ConditionsNeeds) {
  const conditions = createConditions(needs)
  return {
    /** Conditions of the devices below paths; one count serves many queries. */
    openCounts: createDeviceCounts(conditions),
    values: createMetricValues({ ...needs, conditions }),
    /** Figures of the home page for the devices below paths. */
    countFigures: createCountFigures({ ...needs, conditions }),
    /** Newest values of the devices of a kind below paths. */
    listValues: createListValues({ ...needs, conditions }),
  }
}

export type Countings = ReturnType<typeof createCountings>
