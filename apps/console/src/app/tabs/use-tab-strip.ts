import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { useIsMotionReduced } from '../../shared/screen/use-motion.ts'

/** Space left beside a tab that is scrolled into view, px (specification, section 9). */
const SCROLL_PADDING_PX = 4
/** Share of the strip's width that one press of an arrow scrolls. */
const SCROLL_SHARE = 0.6

/** Whether tabs are hidden at each end of the strip. */
export interface Overflow {
  /** The tabs are wider than the strip. */
  readonly any: boolean
  readonly left: boolean
  readonly right: boolean
}

const none: Overflow = { any: false, left: false, right: false }

function measure(strip: HTMLElement): Overflow {
  const { scrollLeft, scrollWidth, clientWidth } = strip
  return {
    any: scrollWidth > clientWidth,
    left: scrollLeft > 0,
    right: scrollLeft + clientWidth < scrollWidth - 1,
  }
}

export interface TabStrip {
  readonly overflow: Overflow
  readonly scroll: (direction: -1 | 1) => void
}

/** Scrolls the strip: by the wheel, by its arrows, and to the tab in front. */
export function useTabStrip(strip: RefObject<HTMLElement | null>, active: string, tabs: unknown): TabStrip {
  const [overflow, setOverflow] = useState(none)
  const isMotionReduced = useIsMotionReduced()
  useEffect(() => {
    const element = strip.current
    if (!element) return
    const look = () =>
      setOverflow((known) => {
        const now = measure(element)
        const same = known.any === now.any && known.left === now.left && known.right === now.right
        return same ? known : now
      })
    // A vertical wheel scrolls the strip sideways; a touchpad already scrolls sideways.
    const turn = (event: WheelEvent) => {
      if (event.deltaX !== 0 || element.scrollWidth <= element.clientWidth) return
      event.preventDefault()
      element.scrollLeft += event.deltaY
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    if (element.firstElementChild) sizes.observe(element.firstElementChild)
    element.addEventListener('scroll', look, { passive: true })
    element.addEventListener('wheel', turn, { passive: false })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
      element.removeEventListener('wheel', turn)
    }
  }, [strip])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tab, a new order and the arrows move the tab in front
  useLayoutEffect(() => {
    const element = strip.current
    const item = element?.querySelector<HTMLElement>('.tab-active')
    if (!element || !item) return
    const start = item.offsetLeft - SCROLL_PADDING_PX
    const end = item.offsetLeft + item.offsetWidth + SCROLL_PADDING_PX - element.clientWidth
    if (element.scrollLeft > start) element.scrollLeft = start
    else if (element.scrollLeft < end) element.scrollLeft = end
  }, [strip, active, tabs, overflow.any])
  const scroll = (direction: -1 | 1) =>
    strip.current?.scrollBy({
      left: direction * SCROLL_SHARE * strip.current.clientWidth,
      behavior: isMotionReduced ? 'instant' : 'smooth',
    })
  return { overflow, scroll }
}
