/**
 * Collects what arrives between two frames and hands it over once per frame. `schedule` is
 * requestAnimationFrame in the browser (with a timer beside it, since a hidden tab has no frames).
 */
export interface FrameBuffer<Item> {
  readonly push: (item: Item) => void
  readonly clear: () => void
}

export type Schedule = (flush: () => void) => void

export function createFrameBuffer<Item>(
  schedule: Schedule,
  flush: (items: readonly Item[]) => void,
): FrameBuffer<Item> {
  let waiting: Item[] = []
  let scheduled = false
  const run = (): void => {
    scheduled = false
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    flush(items)
  }
  return {
    push(item) {
      waiting.push(item)
      if (scheduled) return
      scheduled = true
      schedule(run)
    },
    clear() {
      waiting = []
    },
  }
}

/** The next animation frame, or a second from now when the page is hidden and gets no frames. */
export const scheduleFrame: Schedule = (flush) => {
  if (document.visibilityState === 'visible') requestAnimationFrame(flush)
  else setTimeout(flush, 1000)
}
