import type { Command } from '@isotherm/contract/command'
import type { QueryClient } from '@tanstack/react-query'
import { commandKeys } from './command-keys.ts'
import { mergeCommand } from './command-progress.ts'

interface CommandList {
  readonly datalist: readonly Command[]
}

/** Puts a pushed command into every cached list: in its place, or by asking again where it is new. */
export function applyPushed(client: QueryClient, pushed: Command): void {
  client.setQueriesData<CommandList>({ queryKey: commandKeys.all }, (held) => {
    if (!held) return held
    const datalist = mergeCommand(held.datalist, pushed)
    return datalist === held.datalist ? held : { ...held, datalist }
  })
  client.invalidateQueries({
    queryKey: commandKeys.all,
    predicate: ({ state, queryKey }) =>
      queryKey[2] !== 'batch' &&
      isList(state.data) &&
      !state.data.datalist.some(({ id }) => id === pushed.id),
  })
}

const isList = (data: unknown): data is CommandList =>
  typeof data === 'object' && data !== null && 'datalist' in data && Array.isArray(data.datalist)
