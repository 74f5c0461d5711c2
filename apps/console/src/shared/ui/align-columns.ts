/** What of a virtual table can be scrolled sideways: the headings, and the box of the rows in their list. */
function findScrolled(table: HTMLElement) {
  const head = table.querySelector('.ant-table-header')
  const list = table.querySelector('.ant-table-tbody-virtual-holder')
  const box = list?.firstElementChild
  const rows = box?.firstElementChild
  return head && list && box && rows ? { head, list, box, rows } : undefined
}

type Scrolled = NonNullable<ReturnType<typeof findScrolled>>

const readLeft = (element: Element): number => element.getBoundingClientRect().left

/** How far the list itself has shifted the rows. */
const readShift = ({ box, rows }: Scrolled): number => readLeft(box) - readLeft(rows) - box.scrollLeft

/** Moves rows and headings sideways. The list offers this only to a wheel. */
const moveBy = ({ list }: Scrolled, px: number): boolean =>
  list.dispatchEvent(new WheelEvent('wheel', { deltaX: px }))

/** Moves the rows until they are shifted by `px`, and the headings with them. */
function shiftTo(scrolled: Scrolled, px: number): void {
  const missing = px - readShift(scrolled)
  // Headings that the list itself moved differ by less than a pixel.
  if (Math.abs(missing) < 1) return
  moveBy(scrolled, missing)
  // A list that is being scrolled down takes no sideways wheel; then the headings return.
  scrolled.head.scrollLeft = readShift(scrolled)
}

/**
 * Keeps the rows of a virtual table below their headings when the browser scrolls a focused control or a found text into
 * view: it moves either the headings or the box of the rows, and the list notices neither. Returns how to end it.
 */
export function alignColumns(table: HTMLElement): () => void {
  const onScroll = ({ target }: Event) => {
    const scrolled = findScrolled(table)
    if (target === scrolled?.head) shiftTo(scrolled, scrolled.head.scrollLeft)
    if (target === scrolled?.box) {
      const px = readShift(scrolled) + scrolled.box.scrollLeft
      scrolled.box.scrollLeft = 0
      shiftTo(scrolled, px)
    }
  }
  /** Left of the box the browser cannot scroll to a cell that gets the focus by keyboard. */
  const onFocus = ({ target }: FocusEvent) => {
    const scrolled = findScrolled(table)
    const cell = target instanceof Element ? target.closest('.ant-table-cell') : null
    if (!cell || !scrolled?.rows.contains(cell)) return
    // The scroll that brought the focus before to a heading may not have been reported yet.
    shiftTo(scrolled, scrolled.head.scrollLeft)
    const missing = readLeft(cell) - readLeft(scrolled.box)
    const isByKeyboard = cell.matches(':focus-visible') || cell.querySelector(':focus-visible') !== null
    if (missing < 0 && isByKeyboard) shiftTo(scrolled, readShift(scrolled) + missing)
  }
  table.addEventListener('scroll', onScroll, { capture: true })
  table.addEventListener('focusin', onFocus)
  return () => {
    table.removeEventListener('scroll', onScroll, { capture: true })
    table.removeEventListener('focusin', onFocus)
  }
}
