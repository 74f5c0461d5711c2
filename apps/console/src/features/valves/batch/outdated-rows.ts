import { type Command, finalCommandStates } from '@isotherm/contract/command'

interface Rows {
  readonly datalist: readonly Pick<Command, 'state'>[]
  /** Commands in the group when the rows were fetched. */
  readonly total: number
}

/**
 * True if the rows of a command group may be out of date: a command is not settled, or the group had another size than
 * `count` when they were fetched.
 */
export const areOutdated = (rows: Rows, count: number): boolean =>
  rows.total !== count || rows.datalist.some(({ state }) => !finalCommandStates.has(state))
