import type { Dot } from './map-style.ts'

/** Largest number of cached circles: more than the colours and sizes on a map. */
const MAX_CACHED = 2_000
/** Sizes are rounded to this fraction of a pixel. */
const SIZE_STEPS = 4

/** Draws a circle into its own bitmap. */
function draw({ radiusPx, fill, edge, edgePx }: Dot, pixelRatio: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const side = Math.ceil((radiusPx + edgePx + 1) * 2 * pixelRatio)
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) return canvas
  context.translate(side / 2, side / 2)
  context.scale(pixelRatio, pixelRatio)
  context.beginPath()
  context.arc(0, 0, radiusPx + edgePx / 2, 0, 2 * Math.PI)
  context.fillStyle = fill
  context.fill()
  context.strokeStyle = edge
  context.lineWidth = edgePx
  if (edgePx > 0) context.stroke()
  return canvas
}

/** A cache of circle bitmaps. Copying a bitmap is much faster than drawing a circle. */
export function createDots() {
  const cache = new Map<string, HTMLCanvasElement>()
  return (dot: Dot, pixelRatio: number): HTMLCanvasElement => {
    const radiusPx = Math.round(dot.radiusPx * SIZE_STEPS) / SIZE_STEPS
    const key = `${radiusPx} ${dot.fill} ${dot.edge} ${dot.edgePx} ${pixelRatio}`
    const found = cache.get(key)
    if (found) return found
    if (cache.size >= MAX_CACHED) cache.clear()
    const circle = draw({ ...dot, radiusPx }, pixelRatio)
    cache.set(key, circle)
    return circle
  }
}
