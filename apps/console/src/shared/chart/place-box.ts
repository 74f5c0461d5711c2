interface Size {
  readonly width: number
  readonly height: number
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Between the pointer and the box, px. */
const APART_PX = 20

const fit = (at: number, length: number, whole: number): number => {
  const after = at + APART_PX
  const start = after + length <= whole ? after : at - APART_PX - length
  return Math.max(0, Math.min(start, whole - length))
}

/** Where a box stands beside a pointer: right below it, or on the other side where the frame ends before; px. */
export const placeBox = (pointer: Place, box: Size, frame: Size): Place => ({
  x: fit(pointer.x, box.width, frame.width),
  y: fit(pointer.y, box.height, frame.height),
})
