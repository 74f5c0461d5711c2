import { type Command, finalCommandStates } from '@isotherm/contract/command'

interface Rows {
  readonly datalist: readonly Pick<Command, 'state'>[]
  /** Commands in the group when the rows were answered. */
  readonly total: number
}

/**
 * Whether rows of a group of commands may be out of date: one of them is not settled, or the group has
 * `count` commands by now and had another number of them then.
 */
export const areBehind = (rows: Rows, count: number): boolean =>
  rows.total !== count || rows.datalist.some(({ state }) => !finalCommandStates.has(state))
