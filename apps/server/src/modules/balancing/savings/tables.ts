import type { Generated, GeneratedAlways } from 'kysely'

/** Prices of energy of a node, for the stations at and below it. Null: the nearest node above decides. */
export interface EnergyPriceTable {
  id: GeneratedAlways<number>
  node_id: number
  /** Heat. */
  yuan_per_gj: number | null
  /** Electricity. */
  yuan_per_kwh: number | null
  /** From 1, increased with each change. */
  version: Generated<number>
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    energy_price: EnergyPriceTable
  }
}
