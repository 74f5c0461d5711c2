import { ApiError } from '../../shared/api/api-error.ts'

/**
 * Whether an error means that the server refused to return the permitted modules. Only a refusal ends a session; a timeout,
 * a lost connection, a server that is down or too many calls do not (docs/adr/0015). An error of the console itself, which a
 * retry would repeat, counts as a refusal.
 */
export const isRefusal = (error: unknown): boolean =>
  !(error instanceof ApiError) || (error.isRefusal && error.code !== 'request.too-many')
