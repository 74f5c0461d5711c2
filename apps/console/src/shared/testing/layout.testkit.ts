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
