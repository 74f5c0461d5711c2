import type { createDots } from './dots.ts'
import { type Label, LINE_PX } from './labels.ts'
import { type MapStyle, toChosenRadius, toDots, toPipeWidth } from './map-style.ts'
import type { Scene, Spot } from './scene.ts'

/** The part of the map plane that a canvas shows. */
export interface Frame {
  /** Centre of the canvas. */
  readonly center: Spot
  readonly zoom: number
  /** Metres per pixel. */
  readonly resolution: number
  readonly widthPx: number
  readonly heightPx: number
  /** Canvas pixels per CSS pixel. */
  readonly pixelRatio: number
}

/** What to draw. */
export interface Picture {
  readonly scene: Scene
  /** Labels that have room. */
  readonly written: readonly Label[]
  readonly mapStyle: MapStyle
  /** Key of the selected point. */
  readonly chosen: string | undefined
  /** CSS font. */
  readonly font: string
}

const PIPE_OPACITY = 0.55
const CHOSEN_EDGE_PX = 3
/** Width of the outline around letters. */
const HALO_PX = 1.5
/** Lines that one path draws. One path per line would be slower, and so would one path for all lines. */
const LINES_AT_ONCE = 200
/** Maximum size of a symbol, px: its point can be outside the canvas by this and the symbol still be visible. */
const LARGEST_PX = 200

type Context = CanvasRenderingContext2D
type Draw = (context: Context, frame: Frame, picture: Picture) => void

const toX = ({ x }: Spot, { center, resolution, widthPx }: Frame) => (x - center.x) / resolution + widthPx / 2
const toY = ({ y }: Spot, { center, resolution, heightPx }: Frame) =>
  (center.y - y) / resolution + heightPx / 2

const isNear = (at: number, lengthPx: number) => at > -LARGEST_PX && at < lengthPx + LARGEST_PX

function paintPipes(context: Context, frame: Frame, { scene, mapStyle }: Picture, isMain: boolean): void {
  const { widthPx, heightPx, zoom } = frame
  let count = 0
  context.lineWidth = toPipeWidth(isMain, zoom)
  context.strokeStyle = mapStyle.colours.accent
  context.beginPath()
  for (const pipe of scene.pipes) {
    if (pipe.isMain !== isMain) continue
    const [fromX, fromY, toEndX, toEndY] = [
      toX(pipe.from, frame),
      toY(pipe.from, frame),
      toX(pipe.to, frame),
      toY(pipe.to, frame),
    ] as const
    const isBeside = Math.max(fromX, toEndX) < 0 || Math.min(fromX, toEndX) > widthPx
    if (isBeside || Math.max(fromY, toEndY) < 0 || Math.min(fromY, toEndY) > heightPx) continue
    context.moveTo(fromX, fromY)
    context.lineTo(toEndX, toEndY)
    count += 1
    if (count % LINES_AT_ONCE > 0) continue
    context.stroke()
    context.beginPath()
  }
  context.stroke()
}

const paintAllPipes: Draw = (context, frame, picture) => {
  context.globalAlpha = PIPE_OPACITY
  context.lineCap = 'round'
  for (const isMain of [false, true]) paintPipes(context, frame, picture, isMain)
  context.globalAlpha = 1
}

function paintPoints(
  context: Context,
  frame: Frame,
  { scene, mapStyle }: Picture,
  toImage: ReturnType<typeof createDots>,
): void {
  const { pixelRatio, widthPx, heightPx, zoom } = frame
  for (const point of scene.points) {
    const [x, y] = [toX(point, frame), toY(point, frame)]
    if (!isNear(x, widthPx) || !isNear(y, heightPx)) continue
    for (const dot of toDots(point, zoom, mapStyle)) {
      const image = toImage(dot, pixelRatio)
      // At whole canvas pixels the bitmap is copied; between them it would be resampled.
      const left = Math.round(x * pixelRatio - image.width / 2)
      const top = Math.round(y * pixelRatio - image.height / 2)
      context.drawImage(image, left, top)
    }
  }
}

const paintChosen: Draw = (context, frame, { scene, mapStyle, chosen }) => {
  const point = scene.points.find(({ key }) => key === chosen)
  if (!point) return
  context.lineWidth = CHOSEN_EDGE_PX
  context.strokeStyle = mapStyle.colours.accent
  context.beginPath()
  const radiusPx = toChosenRadius(frame.zoom) + CHOSEN_EDGE_PX / 2
  context.arc(toX(point, frame), toY(point, frame), radiusPx, 0, 2 * Math.PI)
  context.stroke()
}

/** Where a text is anchored, from the middle of its width, as a share of the width. */
const ends: Readonly<Record<Label['align'], number>> = { left: -0.5, center: 0, right: 0.5 }

const paintTexts: Draw = (context, frame, { written, mapStyle, font }) => {
  context.font = font
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 2 * HALO_PX
  context.strokeStyle = mapStyle.colours.surface
  context.fillStyle = mapStyle.colours.ink
  for (const { point, lines, offset, widthPx, align } of written) {
    const x = toX(point, frame) + offset[0]
    const y = toY(point, frame) + offset[1]
    if (!isNear(x, frame.widthPx) || !isNear(y, frame.heightPx)) continue
    context.textAlign = align
    const at = x + ends[align] * widthPx
    const first = y - ((lines.length - 1) / 2) * LINE_PX
    for (const [index, line] of lines.entries()) context.strokeText(line, at, first + index * LINE_PX)
    for (const [index, line] of lines.entries()) context.fillText(line, at, first + index * LINE_PX)
  }
}

/** Paints the network: pipes, circles, the ring of the selected point, and labels on top. */
export function paintNetwork(
  context: Context,
  frame: Frame,
  picture: Picture,
  toImage: ReturnType<typeof createDots>,
): void {
  const { canvas } = context
  const { pixelRatio } = frame
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.scale(pixelRatio, pixelRatio)
  paintAllPipes(context, frame, picture)
  context.setTransform(1, 0, 0, 1, 0, 0)
  paintPoints(context, frame, picture, toImage)
  context.scale(pixelRatio, pixelRatio)
  paintChosen(context, frame, picture)
  paintTexts(context, frame, picture)
}
