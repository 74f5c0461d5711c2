import { ApiError } from '../../shared/api/api-error.ts'

/**
 * Whether the server refused to return the permitted modules. Only a refusal ends a session; a timeout, a lost
 * connection or a server that is down does not (docs/adr/0015).
 */
export const isRefusal = (error: unknown): boolean =>
  !(error instanceof ApiError) || (error.isRefusal && error.code !== 'request.too-many')
