import type { Command } from '@isotherm/contract/command'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useAskOnReturn } from '../../../shared/live/use-ask-on-return.ts'
import { useLiveCommands } from '../../../shared/live/use-live.ts'
import { applyPushed, askForMissing } from './command-cache.ts'
import { commandKeys } from './command-keys.ts'

/** Logs that miss a command are asked for no more often than this, ms: a batch pushes thousands. */
const ASK_MS = 2_000

/** Keeps the cached commands of the valve pages current while the page is open; what comes together is put in together. */
export function useCommandUpdates(): void {
  const client = useQueryClient()
  const pushed = useRef<Command[]>([])
  const unasked = useRef<Command[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useAskOnReturn(commandKeys.all)
  useLiveCommands((command) => {
    pushed.current.push(command)
    if (pushed.current.length > 1) return
    // All of a frame are told in one go; this runs after the last.
    queueMicrotask(() => {
      const together = pushed.current
      pushed.current = []
      applyPushed(client, together)
      unasked.current.push(...together)
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        askForMissing(client, unasked.current)
        unasked.current = []
      }, ASK_MS)
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
