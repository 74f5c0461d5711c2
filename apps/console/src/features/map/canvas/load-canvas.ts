/** Loads what draws the map: the library for it is far larger than the page, which is there before. */
export const loadCanvas = () => import('./map-canvas.tsx')
