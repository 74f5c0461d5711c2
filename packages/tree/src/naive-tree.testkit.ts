import type { NodeList, TreeState } from './tree.ts'

interface NaiveNode {
  readonly key: string
  label: string
  kind: number
  level: number
  parent: NaiveNode | undefined
  children: NaiveNode[]
  complete: boolean
  stale: boolean
  declined: boolean
  checked: boolean
  chosen: boolean
  expanded: boolean
}

interface State {
  readonly checked: boolean
  readonly chosen: boolean
  readonly expanded: boolean
}

const nothing: State = { checked: false, chosen: false, expanded: false }

/** A row as a test compares it. */
export interface NaiveRow {
  readonly key: string
  readonly position: number
  readonly siblings: number
  readonly checked: boolean
  readonly whole: boolean
  readonly hasChosen: boolean
  readonly open: boolean
  readonly leaf: boolean
}

/** The simplest implementation of the tree: objects with children; every query walks the tree. */
export class NaiveTree {
  readonly root: NaiveNode
  private readonly pending = new Map<string, State>()
  private readonly departed = new Map<string, State>()
  private sought = ''

  constructor(key: string) {
    this.root = this.create(key, '', 0, 0, undefined)
    this.root.expanded = true
  }

  private create(key: string, label: string, kind: number, level: number, parent?: NaiveNode): NaiveNode {
    const state = { complete: false, stale: false, declined: false, ...nothing }
    return { key, label, kind, level, parent, children: [], ...state }
  }

  private walk(node: NaiveNode = this.root): NaiveNode[] {
    return [node, ...node.children.flatMap((child) => this.walk(child))]
  }

  find(key: string): NaiveNode | undefined {
    return this.walk().find((node) => node.key === key)
  }

  keys(): string[] {
    return this.walk().map((node) => node.key)
  }

  private detach(node: NaiveNode): void {
    for (const { key, checked, chosen, expanded } of this.walk(node)) {
      if (checked || chosen || expanded) this.departed.set(key, { checked, chosen, expanded })
    }
    if (node.parent) node.parent.children = node.parent.children.filter((child) => child !== node)
    node.parent = undefined
  }

  remove(key: string): void {
    const node = this.find(key)
    if (node) this.detach(node)
  }

  put(parentKey: string, list: NodeList, complete: boolean): void {
    const parent = this.find(parentKey)
    if (!parent) return
    const path: NaiveNode[] = [parent]
    const incoming = new Map<NaiveNode, NaiveNode[]>([[parent, []]])
    const all: [NaiveNode, boolean][] = [[parent, complete]]
    for (const [index, key] of list.keys.entries()) {
      const depth = list.depths[index] ?? 1
      const above = path[depth - 1] ?? parent
      let node = this.find(key)
      if (node && node.parent !== above) {
        this.detach(node)
        node = undefined
      }
      if (!node) node = this.adopt(key, above)
      node.label = list.labels[index] ?? ''
      node.kind = list.kinds[index] ?? 0
      node.level = list.levels[index] ?? 0
      path[depth] = node
      incoming.get(above)?.push(node)
      incoming.set(node, [])
      all.push([node, list.complete?.[index] === 1])
    }
    for (const [node, whole] of all) {
      const listed = incoming.get(node) ?? []
      if (whole) for (const child of node.children) if (!listed.includes(child)) this.detach(child)
      const remaining = node.children.filter((child) => !listed.includes(child) && !whole)
      const present = node.children.filter((child) => remaining.includes(child) || listed.includes(child))
      node.children = whole ? listed : [...new Set([...present, ...listed])]
      if (whole) node.complete = true
      if (whole) node.stale = false
    }
  }

  private adopt(key: string, parent: NaiveNode): NaiveNode {
    const node = this.create(key, '', 0, 0, parent)
    const before = this.departed.get(key) ?? nothing
    const waiting = this.pending.get(key) ?? nothing
    const counts = !this.above(parent).some((each) => each.declined)
    this.departed.delete(key)
    this.pending.delete(key)
    node.checked = parent.chosen || before.checked || (counts && waiting.checked)
    node.chosen = parent.chosen || before.chosen || (counts && waiting.chosen)
    node.expanded = parent.chosen || before.expanded || waiting.expanded
    if (node.checked) for (const each of this.above(parent)) each.checked = true
    parent.children.push(node)
    return node
  }

  /** The node and its ancestors. */
  private above(node: NaiveNode | undefined): NaiveNode[] {
    return node ? [node, ...this.above(node.parent)] : []
  }

  check(key: string, on: boolean): void {
    const node = this.find(key)
    if (!node) return
    for (const each of this.walk(node)) {
      each.checked = each.chosen = on
      if (on) each.declined = false
    }
    if (!on) node.declined = true
    for (const above of this.above(node.parent)) {
      if (on) above.checked = true
      else above.chosen = false
    }
    if (on || node !== this.root) return
    this.departed.clear()
    for (const [waiting, { expanded }] of this.pending) {
      if (expanded) this.pending.set(waiting, { ...nothing, expanded })
      else this.pending.delete(waiting)
    }
  }

  forgetComplete(key: string): void {
    const node = this.find(key)
    if (node) for (const each of this.walk(node)) each.stale = true
  }

  forgetDeparted(): void {
    this.departed.clear()
  }

  expand(key: string, on: boolean): void {
    const node = this.find(key)
    if (node) node.expanded = on
  }

  expandAll(on: boolean, below = this.root.key): void {
    for (const node of this.walk(this.find(below))) node.expanded = on
  }

  chosen(): string[] {
    return this.walk().flatMap((node) => (node.chosen ? [node.key] : []))
  }

  search(text: string): number {
    this.sought = text.trim().toLowerCase()
    return this.sought === '' ? 0 : this.walk().filter((node) => this.isMatch(node)).length
  }

  private isMatch(node: NaiveNode): boolean {
    return node !== this.root && node.label.toLowerCase().includes(this.sought)
  }

  isWhole(node: NaiveNode): boolean {
    const own = node.chosen || (node.complete && node.children.length > 0)
    return node.checked && own && node.children.every((child) => this.isWhole(child))
  }

  hasChosen(node: NaiveNode): boolean {
    if (node.checked && !node.complete) return true
    return this.isWhole(node) || node.children.some((child) => this.hasChosen(child))
  }

  covering(node: NaiveNode = this.root): string[] {
    if (node !== this.root && this.isWhole(node)) return [node.key]
    return node.children.flatMap((child) => this.covering(child))
  }

  checked(): string[] {
    return this.walk().flatMap((node) => (node.checked ? [node.key] : []))
  }

  restore({ checked, expanded, chosen }: TreeState): void {
    this.pending.clear()
    this.departed.clear()
    for (const node of this.walk()) {
      node.checked = node.chosen = node.expanded = node.declined = false
    }
    const set = (keys: readonly string[], what: keyof State) => {
      for (const key of keys) {
        const node = this.find(key)
        if (node) node[what] = true
        if (what !== 'expanded') for (const above of this.above(node?.parent)) above.checked = true
        if (!node) this.pending.set(key, { ...(this.pending.get(key) ?? nothing), [what]: true })
      }
    }
    set(checked, 'checked')
    set(expanded, 'expanded')
    if (chosen) {
      set(chosen, 'checked')
      set(chosen, 'chosen')
      return
    }
    for (const node of this.walk()) {
      if (node.checked && !this.walk(node).some((below) => below !== node && below.checked))
        node.chosen = true
    }
  }

  /** Visible rows with their properties. */
  rows(): NaiveRow[] {
    const searching = this.sought !== ''
    const rows: NaiveRow[] = []
    const show = (node: NaiveNode, siblings: readonly NaiveNode[], free: boolean): void => {
      const leads = this.walk(node).some((below) => below !== node && this.isMatch(below))
      const open = node.expanded || (searching && leads)
      rows.push({
        key: node.key,
        position: siblings.indexOf(node) + 1,
        siblings: siblings.length,
        checked: node.checked,
        whole: this.isWhole(node),
        hasChosen: this.hasChosen(node),
        open,
        leaf: node.complete && node.children.length === 0,
      })
      const below = free || (searching && this.isMatch(node))
      const shown = node.children.filter(
        (child) => !searching || below || this.walk(child).some((each) => this.isMatch(each)),
      )
      if (open || (searching && node === this.root)) for (const child of shown) show(child, shown, below)
    }
    show(this.root, [this.root], false)
    return rows
  }
}
