/**
 * Collects messages between two frames and passes them on once per frame. `schedule` is requestAnimationFrame in the
 * browser, with a timer for hidden tabs, which have no frames.
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
      // A frame may never come, for example in a closed window. Later messages must not wait for it.
      scheduled = false
    },
  }
}

/** Runs at the next animation frame, or after 1 s in a hidden page. */
export const scheduleFrame: Schedule = (flush) => {
  if (document.visibilityState === 'visible') requestAnimationFrame(flush)
  else setTimeout(flush, 1000)
}
