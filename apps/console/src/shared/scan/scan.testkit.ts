import type { Device } from '@isotherm/contract/devices'
import encodeQR from 'qr'
import { onTestFinished, vi } from 'vitest'

/** A registered device that is mounted at a place. */
export const mounted: Device = {
  id: 42,
  imei: 'V-301',
  meterNo: '12345678',
  kind: 'valve',
  name: '入户阀',
  model: 'HV-25',
  node: 'n5',
  nestaddr: '集团,阳光小区,3号楼',
  periodS: 900,
  description: '',
  use: 'in-use',
  version: 4,
  abilities: [],
}

/** A picture in which a test holds a code: 1 is dark. */
type Modules = readonly (readonly (0 | 1)[])[]

/** Modules of a code with a text, without the margin. */
export const toModules = (text: string): Modules =>
  encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1).map((dark) => (dark ? 1 : 0)))

/** Modules of a printed code: the path of its SVG consists of rectangles of one row each. */
export function readPrinted(svg: Element): Modules {
  const size = Number(svg.getAttribute('viewBox')?.split(' ')[2])
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, (): 0 | 1 => 0))
  const path = [...svg.querySelectorAll('path')].at(-1)?.getAttribute('d') ?? ''
  for (const [, x, y, width] of path.matchAll(/M(\d+)[ ,](\d+) ?h(\d+)v1/g))
    for (let place = 0; place < Number(width); place += 1) {
      const row = rows[Number(y)]
      if (row) row[Number(x) + place] = 1
    }
  return rows
}

const WIDTH = 640
const HEIGHT = 480
const MODULE_PX = 6

/** Pixels of a grey wall with the code on white paper, somewhat to the side. */
function draw(code: Modules | undefined): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255)
  const at = (x: number, y: number): number => {
    const [column, row] = [Math.floor((x - 200) / MODULE_PX), Math.floor((y - 90) / MODULE_PX)]
    if (!code || column < -4 || row < -4 || column >= code.length + 4 || row >= code.length + 4) return 120
    return code[row]?.[column] === 1 ? 30 : 235
  }
  for (let place = 0; place < WIDTH * HEIGHT; place += 1)
    pixels.fill(at(place % WIDTH, Math.floor(place / WIDTH)), place * 4, place * 4 + 3)
  return pixels
}

/** Files that stand for photos, with what is on them. */
const photos = new WeakMap<Blob, Modules | undefined>()

/** A photo of a code, or of a wall. */
export function takePhoto(code?: Modules): File {
  const file = new File(['photo'], 'photo.jpg', { type: 'image/jpeg' })
  photos.set(file, code)
  return file
}

/**
 * Gives the light DOM what it has no code for: a canvas and photos. The console's own code decodes the pixels. Cameras are absent until
 * `stubCamera`.
 */
export function stubPictures(): void {
  let drawn: Uint8ClampedArray | undefined
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    if (!photos.has(file)) throw new DOMException('no picture', 'InvalidStateError')
    return { width: WIDTH, height: HEIGHT, pixels: draw(photos.get(file)), close: () => undefined }
  })
  const context = {
    drawImage: (source: { readonly pixels?: Uint8ClampedArray }) => {
      drawn = source.pixels ?? held
    },
    getImageData: (_x: number, _y: number, width: number, height: number) => {
      looks += 1
      return { data: width === WIDTH ? drawn : undefined, width, height }
    },
  }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    context as unknown as RenderingContext & null,
  )
}

/** Counts how often pixels are read from a canvas. */
export function countLooks(): () => number {
  const before = looks
  return () => looks - before
}

let looks = 0

/** What the camera sees now. */
let held: Uint8ClampedArray | undefined

/** Holds a code before the camera; nothing without one. */
export function hold(code?: Modules): void {
  held = draw(code)
}

interface Opened {
  readonly opened: number
  readonly closed: number
}

/** A device with a camera that opens when `ready` is over, on a page that may use it. Returns how often it opened and closed. */
export function stubCamera(ready: Promise<void> = Promise.resolve()): () => Opened {
  hold()
  let [opened, closed] = [0, 0]
  const open = async () => {
    await ready
    opened += 1
    return Object.assign(new MediaStream(), { getTracks: () => [{ stop: () => (closed += 1) }] })
  }
  offerCamera(open)
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    Object.assign(this, { videoWidth: WIDTH, videoHeight: HEIGHT })
  })
  return () => ({ opened, closed })
}

/** A device whose camera does not open. */
export const refuseCamera = (name: string): void =>
  offerCamera(() => Promise.reject(new DOMException('refused', name)))

function offerCamera(getUserMedia: () => Promise<unknown>): void {
  vi.stubGlobal('isSecureContext', true)
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'mediaDevices'))
}
