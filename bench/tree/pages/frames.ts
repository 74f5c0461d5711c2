/** Timeout for a visible result, ms. */
const TIMEOUT_MS = 20_000

/** Resolves after the next frame is painted, with that instant in ms. */
export const afterFrame = (): Promise<number> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(0)
    })
  })

/** Waits until the browser is idle and a frame has just been painted: every measurement starts then. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }))
  await afterFrame()
}

/** Resolves after the first frame for which `isShown` is true, with that instant in ms. @throws after 20 s */
export async function whenShown(isShown: () => boolean, what: string): Promise<number> {
  const latest = performance.now() + TIMEOUT_MS
  for (;;) {
    const now = await afterFrame()
    if (isShown()) return now
    if (now > latest) throw new Error(`${what} is not shown`)
  }
}

/** Scrolls by a step in each frame. Returns the durations of the frames, ms. */
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
