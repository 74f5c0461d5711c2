import type { Command } from '@isotherm/contract/command'
import { useCallback, useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import { live } from './live.ts'
import type { LiveNotification } from './live-notifications.ts'
import type { LiveStatus } from './live-status.ts'
import type { StatesById } from './states-by-id.ts'
import { type LiveQuery, noLiveStates, toLiveKey } from './subscription.ts'

/** State of the live connection: connected or not, old since when, the demo's time factor. */
export const useLiveStatus = (): LiveStatus => useSyncExternalStore(live.onStatus, live.status)

export interface LiveView {
  /** Newest state by device id; a row that did not change keeps its identity. */
  readonly states: StatesById
  /** True once the whole first answer is in. */
  readonly ready: boolean
  /** Code with which the server refused. */
  readonly refused: string | undefined
  readonly connected: boolean
  /** Since when the data are no longer live, Unix ms; absent while they are. */
  readonly since: number | undefined
}

/**
 * Live states of the devices a query matches. Renders at most once per frame. The query may be a new object
 * at every render: it is compared by content. Without one nothing is subscribed and nothing held.
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

/** Calls back for every change of a command the user may see, as it happens. */
export function useLiveCommands(onCommand: (command: Command) => void): void {
  const handle = useEffectEvent(onCommand)
  useEffect(() => live.onCommand((command) => handle(command)), [])
}

/** Calls back for all notification the user may see, as they come. */
export function useLiveNotifications(onNotification: (notification: LiveNotification) => void): void {
  const handle = useEffectEvent(onNotification)
  useEffect(() => live.onNotification((notification) => handle(notification)), [])
}
