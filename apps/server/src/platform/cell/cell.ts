/** The companies that this server serves. Other servers on the same stores serve the others. */
export interface Cell {
  /** Short name that servers of the same companies share; part of topics and of the client id at the broker. */
  readonly name: string
  /** Sorted, each once. */
  readonly tenants: readonly string[]
}

/** Whether this server serves a company. A server without a cell serves all. */
export const servesTenant = (cell: Cell | undefined, tenant: string): boolean =>
  cell === undefined || cell.tenants.includes(tenant)

/** Setting of every connection to PostgreSQL of a server with a cell: its tenants, separated by commas. */
export const CELL_SETTING = 'isotherm.tenants'

/** The option of a connection that states the cell; undefined without one. */
export const toCellOption = (cell: Cell | undefined): string | undefined =>
  cell && `-c ${CELL_SETTING}=${cell.tenants.join(',')}`
