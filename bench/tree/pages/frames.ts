/** Longest wait for something to be shown, ms; whatever takes longer is cut. */
const LONGEST_MS = 20_000

/** The instant after the next frame has been drawn, ms. */
export const afterFrame = (): Promise<number> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(0)
    })
  })

/** Waits until the browser has nothing to do, then until just after a frame: there every measurement begins. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }))
  await afterFrame()
}

/** The instant after the first frame in which `isShown` holds, ms. @throws when it does not within 20 s */
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
