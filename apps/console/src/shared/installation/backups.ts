import { getBackups } from '@isotherm/contract/endpoints/administration/backups'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** Page with the backups, and permission to see it. */
export const BACKUPS_PATH = '/sys/interfacesys?view=backups'
export const BACKUPS_PERMISSION = 'ps-interfacesys'

export const backupsKey = ['backups'] as const

export const loadBackups = (signal: AbortSignal | undefined) => call(getBackups, {}, { signal, quiet: true })

/** The last backups; a running one ends by itself. */
export const backupsQuery = queryOptions({
  queryKey: backupsKey,
  queryFn: ({ signal }) => loadBackups(signal),
  refetchInterval: MINUTE_MS,
})
