import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLiveNews } from '../live/use-live.ts'
import { alarmKeys } from './alarm-keys.ts'
import { createThrottle } from './throttle.ts'

/** However many alarms change, what is on show is asked for again not more often than this. */
const PAUSE_MS = 1_500

/** Keeps the shown lists and counts of alarms current while it is mounted. */
export function useAlarmUpdates(): void {
  const client = useQueryClient()
  const [updates] = useState(() =>
    createThrottle(
      () => void client.invalidateQueries({ queryKey: alarmKeys.live }),
      PAUSE_MS,
      (ms, run) => {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    ),
  )
  useEffect(() => () => updates.close(), [updates])
  useLiveNews((news) => {
    if (news.type === 'alarm') updates.ask()
  })
}
