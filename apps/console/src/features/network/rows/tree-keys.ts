/** The focused row, with the fields that keys need. */
export interface FocusedRow {
  readonly index: number
  /** Row of the parent, -1 at the root. */
  readonly parentIndex: number
  readonly branch: boolean
  readonly open: boolean
}

export interface RowCounts {
  readonly rows: number
  /** Rows that fit into the view. */
  readonly page: number
}

export type KeyAction =
  | { readonly kind: 'move'; readonly index: number }
  | { readonly kind: 'open' | 'close' | 'choose' | 'check' | 'menu' | 'openSiblings' }
  | { readonly kind: 'add' | 'edit' | 'remove' }
  | { readonly kind: 'type'; readonly letter: string }

export interface PressedKey {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

function toMove(key: string, row: FocusedRow, { page, rows }: RowCounts): number | undefined {
  if (key === 'ArrowDown') return row.index + 1
  if (key === 'ArrowUp') return row.index - 1
  if (key === 'PageDown') return row.index + page
  if (key === 'PageUp') return row.index - page
  if (key === 'Home') return 0
  if (key === 'End') return rows - 1
  if (key === 'ArrowRight' && row.branch && row.open) return row.index + 1
  if (key === 'ArrowLeft' && !(row.branch && row.open) && row.parentIndex >= 0) return row.parentIndex
  return undefined
}

const PLAIN: Readonly<Record<string, KeyAction>> = {
  Enter: { kind: 'choose' },
  ' ': { kind: 'check' },
  '*': { kind: 'openSiblings' },
  ContextMenu: { kind: 'menu' },
  Insert: { kind: 'add' },
  F2: { kind: 'edit' },
  Delete: { kind: 'remove' },
}

/** The action of a key on a row (ARIA tree pattern); undefined for other keys. */
export function toKeyAction(pressed: PressedKey, row: FocusedRow, counts: RowCounts): KeyAction | undefined {
  const { key } = pressed
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return undefined
  if (key === 'F10') return pressed.shiftKey ? { kind: 'menu' } : undefined
  const index = toMove(key, row, counts)
  if (index !== undefined) return { kind: 'move', index: Math.min(counts.rows - 1, Math.max(0, index)) }
  if (key === 'ArrowRight') return row.branch ? { kind: 'open' } : undefined
  if (key === 'ArrowLeft') return row.branch && row.open ? { kind: 'close' } : undefined
  const plain = PLAIN[key]
  if (plain) return plain
  return [...key].length === 1 ? { kind: 'type', letter: key } : undefined
}

/**
 * Index of the next row whose text begins with the typed text, searching from the focused row and around the end. A single
 * letter moves to the next row; a longer text may stay on the row.
 */
export function findTyped(
  typed: string,
  from: number,
  count: number,
  textOf: (index: number) => string,
): number | undefined {
  const searchText = typed.toLowerCase()
  const begin = [...typed].length === 1 ? from + 1 : from
  for (let step = 0; step < count; step += 1) {
    const index = (begin + step) % count
    if (textOf(index).toLowerCase().startsWith(searchText)) return index
  }
  return undefined
}
