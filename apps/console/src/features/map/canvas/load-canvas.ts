/** Loads the map canvas lazily: its library is much larger than the page. */
export const loadCanvas = () => import('./map-canvas.tsx')
