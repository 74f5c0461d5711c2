import Layer from 'ol/layer/Layer.js'
import type { FrameState } from 'ol/Map.js'
import { createDots } from '../paint/dots.ts'
import { type Label, TEXT_PX, toLabels } from '../paint/labels.ts'
import type { MapStyle } from '../paint/map-style.ts'
import { type Frame, paintNetwork } from '../paint/paint-network.ts'
import type { Scene } from '../paint/scene.ts'
import { toZoom } from './map-zoom.ts'

/** Content of the layer. */
export interface Shown {
  readonly scene: Scene
  readonly mapStyle: MapStyle
  readonly chosen: string | undefined
}

/** Margin of the canvas around the map, px: within it, a drag moves the canvas without painting. */
const MARGIN_PX = 200
const MAX_MEASURED = 10_000

/** Widths of lines of text, px. */
function createMeasure(context: CanvasRenderingContext2D, font: string): (line: string) => number {
  const cache = new Map<string, number>()
  return (line) => {
    const found = cache.get(line)
    if (found !== undefined) return found
    if (cache.size >= MAX_MEASURED) cache.clear()
    context.font = font
    const { width } = context.measureText(line)
    cache.set(line, width)
    return width
  }
}

function toFrame({ viewState, size, pixelRatio }: FrameState): Frame {
  const [x = 0, y = 0] = viewState.center
  const [width = 0, height = 0] = size
  const { resolution } = viewState
  return {
    center: { x, y },
    resolution,
    zoom: toZoom(resolution),
    pixelRatio,
    widthPx: width + 2 * MARGIN_PX,
    heightPx: height + 2 * MARGIN_PX,
  }
}

/** Offset of the painted canvas from its right position, px. */
const toShift = (drawn: Frame, { center, resolution }: Frame): readonly [x: number, y: number] => [
  (drawn.center.x - center.x) / resolution,
  (center.y - drawn.center.y) / resolution,
]

function isStillGood(drawn: Frame, frame: Frame): boolean {
  const isAlike =
    drawn.resolution === frame.resolution &&
    drawn.pixelRatio === frame.pixelRatio &&
    drawn.widthPx === frame.widthPx &&
    drawn.heightPx === frame.heightPx
  return isAlike && toShift(drawn, frame).every((px) => Math.abs(px) <= MARGIN_PX)
}

function fitCanvas(canvas: HTMLCanvasElement, { widthPx, heightPx, pixelRatio }: Frame): void {
  const [width, height] = [Math.round(widthPx * pixelRatio), Math.round(heightPx * pixelRatio)]
  if (canvas.width === width && canvas.height === height) return
  canvas.width = width
  canvas.height = height
  canvas.style.width = `${width / pixelRatio}px`
  canvas.style.height = `${height / pixelRatio}px`
}

/**
 * The network on its own canvas. It is painted when the network or the zoom changes. During a drag the browser only moves
 * the canvas, which is fast even without a graphics card.
 */
export function createNetworkLayer(shown: Shown, fontFamily: string) {
  const font = `${TEXT_PX}px ${fontFamily}`
  const canvas = document.createElement('canvas')
  canvas.style.position = 'absolute'
  canvas.style.willChange = 'transform'
  canvas.dataset.layer = 'network'
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser has no canvas')
  const measure = createMeasure(context, font)
  const toImage = createDots()
  let now = shown
  let drawn: Frame | undefined
  let written: readonly Label[] | undefined
  let writtenAt: number | undefined
  const draw = (frame: Frame, isMoving: boolean) => {
    const { zoom, resolution } = frame
    // Labels keep their positions while the zoom changes, so that they do not jump.
    if (!written || (!isMoving && writtenAt !== resolution)) {
      written = toLabels(now.scene.points, zoom, resolution, measure)
      writtenAt = resolution
    }
    fitCanvas(canvas, frame)
    paintNetwork(context, frame, { ...now, written, font }, toImage)
    drawn = frame
  }
  const layer = new Layer({
    render(frameState) {
      const frame = toFrame(frameState)
      const { viewHints, pixelRatio } = frameState
      const isMoving = viewHints.some((count) => count > 0)
      const isNamed = isMoving || writtenAt === frame.resolution
      if (!drawn || !isNamed || !isStillGood(drawn, frame)) draw(frame, isMoving)
      const shift = drawn ? toShift(drawn, frame) : [0, 0]
      const [x, y] = shift.map((px) => Math.round((px - MARGIN_PX) * pixelRatio) / pixelRatio)
      canvas.style.transform = `translate(${x}px, ${y}px)`
      return canvas
    },
  })
  return {
    layer,
    show(part: Partial<Shown>) {
      if (part.scene) written = undefined
      now = { ...now, ...part }
      drawn = undefined
      layer.changed()
    },
    getPoints: () => now.scene.points,
  }
}
