import type { Command } from '@isotherm/contract/command'
import { useCallback, useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import { live } from './live.ts'
import type { LiveNotification } from './live-notifications.ts'
import type { LiveStatus } from './live-status.ts'
import type { StatesById } from './states-by-id.ts'
import { type LiveQuery, noLiveStates, toLiveKey } from './subscription.ts'

/** State of the live connection. */
export const useLiveStatus = (): LiveStatus => useSyncExternalStore(live.onStatus, live.status)

export interface LiveView {
  /** Newest state by device id; an unchanged row keeps its identity. */
  readonly states: StatesById
  /** True once the first answer is complete. */
  readonly ready: boolean
  /** Code of the refusal, if any. */
  readonly refused: string | undefined
  readonly connected: boolean
  /** Instant since which the data are not live, Unix ms; absent while they are live. */
  readonly since: number | undefined
}

/**
 * Live states of the devices that match a query. Renders at most once per frame. The query is compared by content, so
 * it may be a new object at every render. Without a query nothing is subscribed.
 */
export function useLiveStates(query: LiveQuery | undefined): LiveView {
  const key = query && toLiveKey(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the query's content
  const stable = useMemo(() => query, [key])
  const subscribe = useCallback(
    (listener: () => void) => (stable ? live.subscribe(stable, listener) : () => {}),
    [stable],
  )
  const held = useSyncExternalStore(subscribe, () => (stable ? live.held(stable) : noLiveStates))
  const { phase, since } = useLiveStatus()
  return { ...held, connected: phase === 'connected', since }
}

/** Calls back for every change of a command that the user may see. */
export function useLiveCommands(onCommand: (command: Command) => void): void {
  const handle = useEffectEvent(onCommand)
  useEffect(() => live.onCommand((command) => handle(command)), [])
}

/** Calls back for every notification of the live connection. */
export function useLiveNotifications(onNotification: (notification: LiveNotification) => void): void {
  const handle = useEffectEvent(onNotification)
  useEffect(() => live.onNotification((notification) => handle(notification)), [])
}
