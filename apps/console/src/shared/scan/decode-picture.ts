import decodeQR from 'qr/decode.js'

/** Sides of the picture in which a code is searched, px. Most codes are found in the first; a small code in a photo in a later one. */
const VIDEO_SIDES = [960] as const
const PHOTO_SIDES = [1_200, 2_400, 600] as const

/** Time for retries after the first search, ms. A frame of a video has little: the next one follows. */
const VIDEO_RETRY_MS = 16
const PHOTO_RETRY_MS = 1_000

interface Picture {
  readonly source: CanvasImageSource
  readonly width: number
  readonly height: number
}

/** Pixels of a picture, reduced so that its longer side has at most `side` px. */
function readPixels({ source, width, height }: Picture, canvas: HTMLCanvasElement, side: number): ImageData {
  const scale = Math.min(1, side / Math.max(width, height))
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser cannot read pictures')
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

/** Text of a QR code in pixels, or undefined if there is none or it cannot be read. */
function findText({ data, width, height }: ImageData, timeLimit: number): string | undefined {
  try {
    return decodeQR({ data, width, height }, { timeLimit }) || undefined
  } catch {
    // The decoder throws if there is no code: the usual case of a camera that is being pointed.
    return undefined
  }
}

function findInPicture(
  picture: Picture,
  canvas: HTMLCanvasElement,
  sides: readonly number[],
  retryMs: number,
): string | undefined {
  if (picture.width === 0 || picture.height === 0) return undefined
  for (const side of sides) {
    const text = findText(readPixels(picture, canvas, side), retryMs)
    if (text !== undefined) return text
  }
  return undefined
}

/** Frees the memory of a canvas at once: some phones limit the memory of all canvases of a page, and free unused ones late. */
export function emptyCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0
  canvas.height = 0
}

/** Text of the QR code that the camera sees now, or undefined. Throws if the browser cannot read the picture now. */
export const findInVideo = (video: HTMLVideoElement, canvas: HTMLCanvasElement): string | undefined =>
  findInPicture(
    { source: video, width: video.videoWidth, height: video.videoHeight },
    canvas,
    VIDEO_SIDES,
    VIDEO_RETRY_MS,
  )

/** Text of the QR code in a photo, or undefined. Throws if the file is no picture that the browser reads. */
export async function findInPhoto(file: Blob): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  try {
    const { width, height } = bitmap
    return findInPicture({ source: bitmap, width, height }, canvas, PHOTO_SIDES, PHOTO_RETRY_MS)
  } finally {
    bitmap.close()
    emptyCanvas(canvas)
  }
}
