import type { Command } from '@isotherm/contract/command'
import type { QueryClient } from '@tanstack/react-query'
import { commandKeys } from './command-keys.ts'
import { mergeCommands, mergeLast } from './command-progress.ts'

interface CommandList {
  readonly datalist: readonly Command[]
}

/** Applies pushed commands to every cached list that contains them. */
export function applyPushed(client: QueryClient, pushed: readonly Command[]): void {
  client.setQueriesData<CommandList>(
    { queryKey: commandKeys.all, predicate: ({ queryKey }) => queryKey[2] !== 'last' },
    (cached) => cached && replace(cached, mergeCommands(cached.datalist, pushed)),
  )
  for (const [queryKey, cached] of client.getQueriesData<CommandList>({ queryKey: commandKeys.lasts })) {
    const ids = queryKey[3]
    if (!cached || !Array.isArray(ids)) continue
    const datalist = mergeLast(cached.datalist, pushed, new Set(ids))
    if (datalist !== cached.datalist) client.setQueryData(queryKey, replace(cached, datalist))
  }
}

const replace = (cached: CommandList, datalist: readonly Command[]): CommandList =>
  datalist === cached.datalist ? cached : { ...cached, datalist }

/** Invalidates the logs whose first command is older than the newest pushed one. */
export function refetchLogs(client: QueryClient, pushed: readonly Command[]): void {
  const newest = pushed.reduce((last, { id }) => (id > last ? id : last), '')
  client.invalidateQueries(
    {
      queryKey: commandKeys.logs,
      predicate: ({ state }) => isList(state.data) && newest > (state.data.datalist[0]?.id ?? ''),
    },
    { cancelRefetch: false },
  )
}

const isList = (data: unknown): data is CommandList =>
  typeof data === 'object' && data !== null && 'datalist' in data && Array.isArray(data.datalist)
