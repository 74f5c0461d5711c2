import { onTestFinished, vi } from 'vitest'

/** Gives every element a size for one test: the light DOM has no layout, and virtual lists render only visible rows. */
export function stubLayout(heightPx = 600, widthPx = 1_000): void {
  const spies = [
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(heightPx),
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(widthPx),
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(heightPx),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
}

/** Reports a size for every observed element in one test, so that a table that fills its parent has a height. */
export function stubObservedSize(heightPx = 600, widthPx = 1_000): void {
  /** Reports the size of an element once, as a browser does when the observation starts. */
  class StubbedResizeObserver implements ResizeObserver {
    readonly #report: ResizeObserverCallback
    constructor(report: ResizeObserverCallback) {
      this.#report = report
    }
    observe(target: Element): void {
      const contentRect = new DOMRect(0, 0, widthPx, heightPx)
      const size = [{ blockSize: heightPx, inlineSize: widthPx }]
      const sizes = { borderBoxSize: size, contentBoxSize: size, devicePixelContentBoxSize: size }
      queueMicrotask(() => this.#report([{ target, contentRect, ...sizes }], this))
    }
    unobserve(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', StubbedResizeObserver)
}
