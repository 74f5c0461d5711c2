import type { Map as LibraryMap } from 'maplibre-gl'
import { createPace } from './pace.ts'

/** Pixels of the screen to one that is drawn, along each side. */
const COARSER = 2

/**
 * Where the processor draws, for want of a graphics card, its time goes by the pixels: there the map is drawn coarser
 * while it moves, and sharp again as soon as it rests.
 */
export function coarsenWhileSlow(map: LibraryMap): void {
  const pace = createPace()
  let isCoarse = false
  const draw = (coarse: boolean) => {
    if (coarse === isCoarse) return
    isCoarse = coarse
    // setPixelRatio does the same and then ends the movement, as for a window that changed its size.
    map._overridePixelRatio = coarse ? window.devicePixelRatio / COARSER : null
    map._resizeInternal()
    map.triggerRepaint()
  }
  map.on('move', () => {
    if (pace.note(performance.now())) draw(true)
  })
  map.on('moveend', () => draw(false))
}
