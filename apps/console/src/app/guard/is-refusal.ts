import { ApiError } from '../../shared/api/api-error.ts'

/**
 * Whether a failure to load the permitted modules is the server's word. Only such a one ends a session; a
 * time-out, a lost connection or a server that is down says nothing about the user (docs/adr/0015).
 */
export const isRefusal = (error: unknown): boolean =>
  !(error instanceof ApiError) || (error.isRefusal && error.code !== 'request.too-many')
