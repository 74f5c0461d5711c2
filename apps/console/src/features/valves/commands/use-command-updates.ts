import type { Command } from '@isotherm/contract/command'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLiveCommands } from '../../../shared/live/use-live.ts'
import { useRefetchOnReturn } from '../../../shared/live/use-refetch-on-return.ts'
import { applyPushed, refetchLogs } from './command-cache.ts'
import { commandKeys } from './command-keys.ts'

/** Shortest time between two refetches of the logs, ms: a batch pushes thousands of commands. */
const REFETCH_MS = 2_000

/** Updates the cached commands of the valve pages while the page is open. Pushes of one frame are applied together. */
export function useCommandUpdates(): void {
  const client = useQueryClient()
  const pushed = useRef<Command[]>([])
  const unlisted = useRef<Command[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useRefetchOnReturn(commandKeys.all)
  useLiveCommands((command) => {
    pushed.current.push(command)
    if (pushed.current.length > 1) return
    // All pushes of a frame arrive in one task; this microtask runs after the last one.
    queueMicrotask(() => {
      const together = pushed.current
      pushed.current = []
      applyPushed(client, together)
      unlisted.current.push(...together)
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        refetchLogs(client, unlisted.current)
        unlisted.current = []
      }, REFETCH_MS)
    })
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}
