import { isSameView, type MapView } from '../view/mercator.ts'

/**
 * Distinguishes views that the map itself reported to the page from views that the page chose. The map may have moved on
 * before the page renders a reported view, and must not jump back to it.
 */
export function createReportedViews() {
  let reported: readonly MapView[] = []
  return {
    note(view: MapView): void {
      reported = [...reported, view]
    },
    /** True if the map reported this view. Older reported views are forgotten. */
    isEcho(view: MapView): boolean {
      const at = reported.findIndex((each) => isSameView(each, view))
      reported = at < 0 ? [] : reported.slice(at + 1)
      return at >= 0
    },
  }
}
