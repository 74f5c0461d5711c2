import { isSameView, type MapView } from '../view/mercator.ts'

/**
 * Tells the views that the page gives back after it was told them from those it gives by itself: until the page has drawn
 * itself anew the map may have gone on, and must not be taken back.
 */
export function createToldViews() {
  let told: readonly MapView[] = []
  return {
    note(view: MapView): void {
      told = [...told, view]
    },
    /** Whether the map has been where a view is; those it was told before that one come back no more. */
    isEcho(view: MapView): boolean {
      const at = told.findIndex((each) => isSameView(each, view))
      told = at < 0 ? [] : told.slice(at + 1)
      return at >= 0
    },
  }
}
