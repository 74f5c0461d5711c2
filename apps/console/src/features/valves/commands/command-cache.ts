import type { Command } from '@isotherm/contract/command'
import type { QueryClient } from '@tanstack/react-query'
import { commandKeys } from './command-keys.ts'
import { mergeCommands, mergeLast } from './command-progress.ts'

interface CommandList {
  readonly datalist: readonly Command[]
}

/** Puts what was pushed in a moment into every cached list in which it stands. */
export function applyPushed(client: QueryClient, pushed: readonly Command[]): void {
  client.setQueriesData<CommandList>(
    { queryKey: commandKeys.all, predicate: ({ queryKey }) => queryKey[2] !== 'last' },
    (held) => held && replace(held, mergeCommands(held.datalist, pushed)),
  )
  for (const [queryKey, held] of client.getQueriesData<CommandList>({ queryKey: commandKeys.lasts })) {
    const ids = queryKey[3]
    if (!held || !Array.isArray(ids)) continue
    const datalist = mergeLast(held.datalist, pushed, new Set(ids))
    if (datalist !== held.datalist) client.setQueryData(queryKey, replace(held, datalist))
  }
}

const replace = (held: CommandList, datalist: readonly Command[]): CommandList =>
  datalist === held.datalist ? held : { ...held, datalist }

/** Asks for the logs anew that a command is missing from that is newer than what they begin with. */
export function askForMissing(client: QueryClient, pushed: readonly Command[]): void {
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
