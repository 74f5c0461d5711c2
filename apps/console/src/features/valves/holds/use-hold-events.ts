import { useEffect, useEffectEvent, useRef } from 'react'
import { useLiveNews } from '../../../shared/live/use-live.ts'
import type { HoldNews } from './lost-holds.ts'

/** News are taken together: a batch begins thousands of holds, ms. */
const GATHER_MS = 500

/** Calls back with the holds that began or ended, those of half a second together. */
export function useHoldNews(onNews: (news: readonly HoldNews[]) => void): void {
  const handle = useEffectEvent(onNews)
  const gathered = useRef<HoldNews[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLiveNews((news) => {
    if (news.type !== 'hold') return
    gathered.current.push(news)
    timer.current ??= setTimeout(() => {
      const together = gathered.current
      timer.current = undefined
      gathered.current = []
      handle(together)
    }, GATHER_MS)
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
      gathered.current = []
    },
    [],
  )
}
