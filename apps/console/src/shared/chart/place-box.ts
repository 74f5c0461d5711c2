interface Size {
  readonly width: number
  readonly height: number
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Gap between pointer and box, px. */
const APART_PX = 20

const fit = (at: number, length: number, whole: number): number => {
  const after = at + APART_PX
  const start = after + length <= whole ? after : at - APART_PX - length
  return Math.max(0, Math.min(start, whole - length))
}

/** Position of a box at a pointer, px: right below it, or on the other side near the edge of the frame. */
export const placeBox = (pointer: Place, box: Size, frame: Size): Place => ({
  x: fit(pointer.x, box.width, frame.width),
  y: fit(pointer.y, box.height, frame.height),
})
