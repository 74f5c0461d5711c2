import { useQueryClient } from '@tanstack/react-query'
import { useLiveCommands } from '../../shared/live/use-live.ts'
import { applyPushed } from './command-cache.ts'

/** Keeps the cached commands of the valve pages current while the page is open. */
export function useCommandUpdates(): void {
  const client = useQueryClient()
  useLiveCommands((command) => applyPushed(client, command))
}
