import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLiveNotifications } from '../live/use-live.ts'
import { alarmKeys } from './alarm-keys.ts'
import { createThrottle, type Throttle } from './throttle.ts'

/** Shortest time between two refetches of alarms, ms. */
const PAUSE_MS = 1_500

const createUpdates = (client: QueryClient, queryKey: readonly string[]): Throttle =>
  createThrottle(
    () => void client.invalidateQueries({ queryKey }),
    PAUSE_MS,
    (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  )

/** Refetches cached alarms, counts, silences and rules when they change, while it is mounted. */
export function useAlarmUpdates(): void {
  const client = useQueryClient()
  const [alarms] = useState(() => createUpdates(client, alarmKeys.live))
  const [silences] = useState(() => createUpdates(client, alarmKeys.silences))
  const [rules] = useState(() => createUpdates(client, alarmKeys.rules))
  useEffect(
    () => () => {
      alarms.close()
      silences.close()
      rules.close()
    },
    [alarms, silences, rules],
  )
  useLiveNotifications((notification) => {
    if (notification.type === 'alarm-rules') return rules.request()
    if (notification.type !== 'alarm' && notification.type !== 'silences') return
    alarms.request()
    // An event without an alarm means that any alarm may have changed.
    if (notification.type === 'silences' || notification.alarm === undefined) silences.request()
    if (notification.type === 'alarm' && notification.alarm === undefined) rules.request()
  })
}
