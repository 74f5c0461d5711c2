interface Device {
  prefersColorScheme: string
  prefersReducedMotion: string
}

/** The part of happy-dom that controls the window. */
interface Browser {
  readonly settings: { readonly device: Device }
  readonly setViewport: (viewport: { readonly width: number; readonly height: number }) => void
  /** Stops the timers and calls of the window, for example the time limits of `AbortSignal`. */
  readonly abort: () => Promise<void>
}

interface ObservedSize {
  readonly heightPx: number
  readonly widthPx: number
}

declare global {
  var happyDOM: Browser
  /** Size that `ResizeObserver` reports for each element. Without it nothing is reported. */
  var observedSize: ObservedSize | undefined
}

export const setScreenWidth = (width: number): void => globalThis.happyDOM.setViewport({ width, height: 900 })

/** Records the listeners that are added to the window from now on. Returns the function that removes them. */
export function recordListeners(): () => void {
  const { addEventListener } = window
  const removals: (() => void)[] = []
  window.addEventListener = (...listening: Parameters<typeof addEventListener>) => {
    addEventListener(...listening)
    removals.push(() => window.removeEventListener(...listening))
  }
  return () => {
    window.addEventListener = addEventListener
    for (const remove of removals) remove()
  }
}

/** Records the timers that start from now on. Returns the function that stops those that are left. */
export function recordTimers(): () => void {
  const { setTimeout, setInterval } = globalThis
  const timers: ReturnType<typeof setTimeout>[] = []
  const apply = (start: typeof setTimeout, self: unknown, given: unknown[]) => {
    const timer = Reflect.apply(start, self, given)
    timers.push(timer)
    return timer
  }
  globalThis.setTimeout = new Proxy(setTimeout, { apply })
  globalThis.setInterval = new Proxy(setInterval, { apply })
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval })
    for (const timer of timers) clearTimeout(timer)
  }
}

/**
 * Reports `observedSize` of an element once, as a browser does when the observation starts. A package has one observer
 * for all test files of a worker, so the size is read at each observation.
 */
export class TestResizeObserver implements ResizeObserver {
  readonly #report: ResizeObserverCallback
  constructor(report: ResizeObserverCallback) {
    this.#report = report
  }
  observe(target: Element): void {
    if (!globalThis.observedSize) return
    const { heightPx, widthPx } = globalThis.observedSize
    const contentRect = new DOMRect(0, 0, widthPx, heightPx)
    const size = [{ blockSize: heightPx, inlineSize: widthPx }]
    const sizes = { borderBoxSize: size, contentBoxSize: size, devicePixelContentBoxSize: size }
    queueMicrotask(() => this.#report([{ target, contentRect, ...sizes }], this))
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Declarations that only change looks: tests notice what is shown, what is read out and what the pointer reaches. */
const LOOKS =
  /(?<=[{};])\s*(?!(?:display|visibility|pointer-events|content)\s*:)[\w-]+\s*:(?:"[^"]*"|'[^']*'|[^"'{};])*(?:;|(?=\}))/g
const EMPTY_RULE = /[^{};]+\{\s*\}/g

/**
 * Leaves looks out of style sheets from now on. After each change of the document the window compares elements with all
 * rules again, and antd brings more than a thousand. Returns the function that ends it.
 */
export function leaveOutLooks(): () => void {
  const { CSSStyleSheet } = globalThis
  globalThis.CSSStyleSheet = class extends CSSStyleSheet {
    override replaceSync(text: string): void {
      super.replaceSync(text.replace(LOOKS, '').replace(EMPTY_RULE, ''))
    }
  }
  return () => {
    globalThis.CSSStyleSheet = CSSStyleSheet
  }
}

/** Makes the window as it is before any test: address, document, storage, screen and settings. */
export function resetBrowser(): void {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  globalThis.happyDOM.setViewport({ width: 1024, height: 768 })
  Object.assign(globalThis.happyDOM.settings.device, {
    prefersColorScheme: 'light',
    prefersReducedMotion: 'no-preference',
  })
  globalThis.observedSize = undefined
}
