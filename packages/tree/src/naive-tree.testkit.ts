import type { NodeList, TreeState } from './tree.ts'

interface NaiveNode {
  readonly key: string
  label: string
  kind: number
  level: number
  parent: NaiveNode | undefined
  children: NaiveNode[]
  complete: boolean
  checked: boolean
  chosen: boolean
  expanded: boolean
}

/** A row as a test compares it. */
export interface NaiveRow {
  readonly key: string
  readonly position: number
  readonly siblings: number
  readonly checked: boolean
  readonly whole: boolean
  readonly open: boolean
}

/** The tree as one would write it down at once: objects with children, every question answered by a walk. */
export class NaiveTree {
  readonly root: NaiveNode
  private pending = new Map<string, { checked: boolean; chosen: boolean; expanded: boolean }>()
  private sought = ''

  constructor(key: string) {
    this.root = this.create(key, '', 0, 0, undefined)
    this.root.expanded = true
  }

  private create(key: string, label: string, kind: number, level: number, parent?: NaiveNode): NaiveNode {
    const state = { complete: false, checked: false, chosen: false, expanded: false }
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
    const carried = new Map<string, NaiveNode>()
    const all: [NaiveNode, boolean][] = [[parent, complete]]
    for (const [index, key] of list.keys.entries()) {
      const depth = list.depths[index] ?? 1
      const above = path[depth - 1] ?? parent
      let node = this.find(key)
      if (node && node.parent !== above) {
        for (const each of this.walk(node)) carried.set(each.key, each)
        this.detach(node)
        node = undefined
      }
      if (!node) node = this.adopt(key, above, carried)
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
      const kept = node.children.filter((child) => !listed.includes(child) && !whole)
      const present = node.children.filter((child) => kept.includes(child) || listed.includes(child))
      node.children = whole ? listed : [...new Set([...present, ...listed])]
      if (whole) node.complete = true
    }
  }

  private adopt(key: string, parent: NaiveNode, carried: ReadonlyMap<string, NaiveNode>): NaiveNode {
    const node = this.create(key, '', 0, 0, parent)
    const states = [carried.get(key), this.pending.get(key)]
    this.pending.delete(key)
    node.checked = parent.chosen || states.some((state) => state?.checked)
    node.chosen = parent.chosen || states.some((state) => state?.chosen)
    node.expanded = parent.chosen || states.some((state) => state?.expanded)
    parent.children.push(node)
    return node
  }

  check(key: string, on: boolean): void {
    const node = this.find(key)
    if (!node) return
    for (const each of this.walk(node)) each.checked = each.chosen = on
    for (let above = node.parent; above; above = above.parent) {
      if (on) above.checked = true
      else above.chosen = false
    }
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

  covering(node: NaiveNode = this.root): string[] {
    if (node !== this.root && this.isWhole(node)) return [node.key]
    return node.children.flatMap((child) => this.covering(child))
  }

  checked(): string[] {
    return this.walk().flatMap((node) => (node.checked ? [node.key] : []))
  }

  restore({ checked, expanded, chosen }: TreeState): void {
    this.pending.clear()
    for (const node of this.walk()) node.checked = node.chosen = node.expanded = false
    const set = (keys: readonly string[], what: 'checked' | 'chosen' | 'expanded') => {
      for (const key of keys) {
        const node = this.find(key)
        if (node) node[what] = true
        const waiting = this.pending.get(key) ?? { checked: false, chosen: false, expanded: false }
        if (!node) this.pending.set(key, { ...waiting, [what]: true })
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

  /** Rows on show, with what the list says of each. */
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
        open,
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
