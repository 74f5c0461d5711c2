/** A label near a point; all lengths in px. */
export interface Name {
  readonly x: number
  readonly y: number
  readonly widthPx: number
  readonly heightPx: number
  /** Gap between the point and the label. */
  readonly gapPx: number
  /** Fixed in the centre of the point, even if it overlaps others. */
  readonly isFixed: boolean
}

/** Side of the point at which a label is placed. */
export type Side = 'middle' | 'below' | 'above' | 'right' | 'left'

/** Sides in order of preference. */
const BESIDE = ['below', 'above', 'right', 'left'] as const satisfies readonly Side[]

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Offset of the centre of a label from its point. */
export function toOffset({ widthPx, heightPx, gapPx }: Name, side: Side): readonly [x: number, y: number] {
  const across = gapPx + widthPx / 2
  const along = gapPx + heightPx / 2
  if (side === 'below') return [0, along]
  if (side === 'above') return [0, -along]
  if (side === 'right') return [across, 0]
  return side === 'left' ? [-across, 0] : [0, 0]
}

function toBox(name: Name, side: Side): Box {
  const [offsetX, offsetY] = toOffset(name, side)
  const [x, y] = [name.x + offsetX, name.y + offsetY]
  const [halfWidth, halfHeight] = [name.widthPx / 2, name.heightPx / 2]
  return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight }
}

const isApart = (a: Box, b: Box): boolean =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top

/** Cell size of the spatial index, px: most labels are not wider. */
const CELL_PX = 96

/** A spatial index of placed boxes. */
function createOccupied() {
  const cells = new Map<string, Box[]>()
  const toCells = ({ left, top, right, bottom }: Box): readonly string[] => {
    const keys: string[] = []
    for (let x = Math.floor(left / CELL_PX); x <= Math.floor(right / CELL_PX); x += 1)
      for (let y = Math.floor(top / CELL_PX); y <= Math.floor(bottom / CELL_PX); y += 1)
        keys.push(`${x} ${y}`)
    return keys
  }
  return {
    isFree: (box: Box) =>
      toCells(box).every((key) => cells.get(key)?.every((other) => isApart(box, other)) ?? true),
    take(box: Box) {
      for (const key of toCells(box)) cells.set(key, [...(cells.get(key) ?? []), box])
    },
  }
}

/**
 * Places labels without overlaps: fixed labels first, then the others in list order. Undefined for a label without room.
 */
export function placeNames(names: readonly Name[]): readonly (Side | undefined)[] {
  const occupied = createOccupied()
  for (const name of names) if (name.isFixed) occupied.take(toBox(name, 'middle'))
  return names.map((name) => {
    if (name.isFixed) return 'middle'
    const side = BESIDE.find((each) => occupied.isFree(toBox(name, each)))
    if (side) occupied.take(toBox(name, side))
    return side
  })
}
