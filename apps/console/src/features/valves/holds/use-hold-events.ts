import { useEffect, useEffectEvent, useRef } from 'react'
import { useLiveNotifications } from '../../../shared/live/use-live.ts'
import type { HoldEvent } from './lost-holds.ts'

/** Events are collected for this time, ms: a batch starts thousands of holds. */
const COLLECT_MS = 500

/** Calls back with the holds that began or ended, collected over COLLECT_MS. */
export function useHoldEvents(onEvents: (events: readonly HoldEvent[]) => void): void {
  const handle = useEffectEvent(onEvents)
  const collected = useRef<HoldEvent[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveNotifications((event) => {
    if (event.type !== 'hold') return
    collected.current.push(event)
    timer.current ??= setTimeout(() => {
      const together = collected.current
      timer.current = undefined
      collected.current = []
      handle(together)
    }, COLLECT_MS)
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
      collected.current = []
    },
    [],
  )
}
