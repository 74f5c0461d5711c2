import { vi } from 'vitest'

/** Gives every element a size for one test: the light DOM has no layout, and virtual lists render only visible rows. */
export function stubLayout(heightPx = 600, widthPx = 1_000): void {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(heightPx)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(widthPx)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(heightPx)
}

/** Reports a size for every observed element in one test, so that a table that fills its parent has a height. */
export function stubObservedSize(heightPx = 600, widthPx = 1_000): void {
  globalThis.observedSize = { heightPx, widthPx }
}
