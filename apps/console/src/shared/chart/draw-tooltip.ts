import styles from './tooltip.module.css'

export interface TooltipLine {
  readonly label: string
  readonly value: string
  /** Of its curve. */
  readonly color?: string
}

/** Built of elements, never of markup: names come from the registry and may hold anything. */
export function drawTooltip(head: string, lines: readonly TooltipLine[]): HTMLElement {
  const box = document.createElement('div')
  box.className = styles.tooltip ?? ''
  const first = document.createElement('span')
  first.textContent = head
  box.append(first)
  for (const { label, value, color } of lines) {
    const name = document.createElement('span')
    name.textContent = color === undefined ? label : `● ${label}`
    if (color !== undefined) name.style.color = color
    const figure = document.createElement('strong')
    figure.textContent = value
    box.append(name, figure)
  }
  return box
}
