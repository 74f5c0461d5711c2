/** Timeout for a visible result, ms. */
const LONGEST_MS = 20_000

/** The instant after the next frame is painted, ms. */
export const afterFrame = (): Promise<number> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(0)
    })
  })

/** Waits until the browser is idle, then until just after a frame: the start of every measurement. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }))
  await afterFrame()
}

/** The instant after the first frame in which `isShown` holds, ms. @throws after 20 s */
export async function whenShown(isShown: () => boolean, what: string): Promise<number> {
  const latest = performance.now() + LONGEST_MS
  for (;;) {
    const now = await afterFrame()
    if (isShown()) return now
    if (now > latest) throw new Error(`${what} is not shown`)
  }
}

/** Scrolls by a step each frame; the durations of the frames, ms. */
export async function scrollFrames(scroller: Element, stepPx: number, frames: number): Promise<number[]> {
  const durations: number[] = []
  let before = await new Promise<number>(requestAnimationFrame)
  for (let frame = 0; frame < frames; frame += 1) {
    scroller.scrollTop += stepPx
    const now = await new Promise<number>(requestAnimationFrame)
    durations.push(now - before)
    before = now
  }
  return durations
}
