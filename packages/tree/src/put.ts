import {
  addNode,
  at,
  type Columns,
  flag,
  freeNode,
  hasFlag,
  NO_NODE,
  type NodeNumber,
  reserve,
  setFlag,
} from './columns.ts'
import type { KeyIndex } from './key-index.ts'
import { findParents, type NodeList } from './node-list.ts'
import { addToSizes, isWithin, listChildren, spliceOrder } from './preorder.ts'

/** What is changed together when nodes come or go. */
export interface Storage {
  readonly columns: Columns
  readonly index: KeyIndex
  /** State by key of nodes that are not loaded yet: checked and expanded bits they get when they come. */
  readonly pending: Map<string, number>
}

const STATE = flag.checked | flag.chosen | flag.expanded
const ADOPTED = STATE

/** Takes a node and what is below it out of the tree. Throws RangeError for the root. */
export function removeNode({ columns, index }: Storage, node: NodeNumber): void {
  const parent = at(columns.parents, node)
  if (parent === NO_NODE) throw new RangeError('the root cannot be removed')
  const from = at(columns.positions, node)
  const size = at(columns.sizes, node)
  const gone = columns.order.slice(from, from + size)
  spliceOrder(columns, from, size, [])
  addToSizes(columns, parent, -size)
  for (const each of gone) {
    index.remove(each)
    freeNode(columns, each)
  }
}

/** State of a subtree by key, for nodes that will stand elsewhere. */
function carryState(columns: Columns, node: NodeNumber, carried: Map<string, number>): void {
  const from = at(columns.positions, node)
  for (let position = from; position < from + at(columns.sizes, node); position += 1) {
    const each = at(columns.order, position)
    carried.set(columns.keys[each] ?? '', at(columns.flags, each) & STATE)
  }
}

/** Throws RangeError for a key that the list has twice or that stands above the parent. */
function checkKeys({ columns, index }: Storage, parent: NodeNumber, { keys }: NodeList): void {
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key)) throw new RangeError(`key ${key} twice`)
    seen.add(key)
    const known = index.find(key)
    if (known !== NO_NODE && isWithin(columns, parent, known)) throw new RangeError(`key ${key} below itself`)
  }
}

/** Numbers of the list's nodes that are in their place already; what stands elsewhere is taken out first. */
function findKnown(storage: Storage, parent: NodeNumber, list: NodeList, parents: Int32Array) {
  const { columns, index } = storage
  const numbers = new Int32Array(list.keys.length).fill(NO_NODE)
  const carried = new Map<string, number>()
  if (!index.isBuilt() && at(columns.sizes, parent) === 1) return { numbers, carried }
  checkKeys(storage, parent, list)
  for (const [place, key] of list.keys.entries()) {
    const known = index.find(key)
    if (known === NO_NODE) continue
    const above = at(parents, place)
    const expected = above < 0 ? parent : at(numbers, above)
    if (at(columns.parents, known) === expected) numbers[place] = known
    else {
      carryState(columns, known, carried)
      removeNode(storage, known)
    }
  }
  return { numbers, carried }
}

interface Additions {
  readonly parent: NodeNumber
  readonly list: NodeList
  readonly parents: Int32Array
  readonly numbers: Int32Array
  readonly carried: ReadonlyMap<string, number>
}

/**
 * Gives numbers to the nodes of a list that have none, and to the known ones what changed. Children of a node
 * that was checked for its own sake are checked and expanded (specification, section 4).
 */
function nameNodes({ columns, index, pending }: Storage, additions: Additions): void {
  const { list, parent, parents, numbers, carried } = additions
  const base = at(columns.depths, parent)
  reserve(columns, list.keys.length)
  for (let place = 0; place < numbers.length; place += 1) {
    const key = list.keys[place] ?? ''
    const label = list.labels[place] ?? ''
    const kind = list.kinds[place] ?? 0
    const level = list.levels[place] ?? 0
    const complete = list.complete?.[place] ? flag.complete : 0
    const known = at(numbers, place)
    if (known !== NO_NODE) {
      columns.labels[known] = label
      columns.kinds[known] = kind
      columns.levels[known] = level
      setFlag(columns, known, complete)
      continue
    }
    const above = at(parents, place) < 0 ? parent : at(numbers, at(parents, place))
    const adopted = hasFlag(columns, above, flag.chosen) ? ADOPTED : 0
    const state = pending.size > 0 ? (pending.get(key) ?? 0) : 0
    if (state !== 0) pending.delete(key)
    const node = addNode(
      columns,
      { key, label, kind, level, parent: above, depth: base + (list.depths[place] ?? 1) },
      complete | adopted | state | (carried.get(key) ?? 0),
    )
    numbers[place] = node
    index.add(node)
  }
}

/** Appends a list to columns that have no free number and wait for no key: the way half a million nodes come. */
function appendNodes({ columns, index }: Storage, { list, parent, parents, numbers }: Additions): void {
  const base = at(columns.depths, parent)
  const first = columns.count
  reserve(columns, list.keys.length)
  columns.keys = appended(columns.keys, list.keys)
  columns.labels = appended(columns.labels, list.labels)
  columns.count += list.keys.length
  const { flags } = columns
  const adopting = hasFlag(columns, parent, flag.chosen) ? ADOPTED : 0
  columns.levels.set(list.levels, first)
  columns.kinds.set(list.kinds, first)
  columns.sizes.fill(1, first, columns.count)
  flags.fill(adopting, first, columns.count)
  for (let place = 0; place < numbers.length; place += 1) {
    const above = at(parents, place)
    numbers[place] = first + place
    columns.parents[first + place] = above < 0 ? parent : first + above
    columns.depths[first + place] = base + (list.depths[place] ?? 1)
  }
  if (list.complete) {
    for (let place = 0; place < numbers.length; place += 1) {
      if (list.complete[place]) setFlag(columns, first + place, flag.complete)
    }
  }
  if (index.isBuilt()) for (const node of numbers) index.add(node)
}

/** A long list as one new array, a short one at the end of the old. */
function appended(texts: string[], list: readonly string[]): string[] {
  if (list.length > texts.length) return texts.concat(list)
  for (const text of list) texts.push(text)
  return texts
}

/** Sizes of new nodes whose subtrees are as they stand in the list. */
function sizeNewNodes(columns: Columns, { parents, numbers }: Additions): void {
  for (let place = numbers.length - 1; place >= 0; place -= 1) {
    const above = at(parents, place)
    if (above < 0) continue
    const parent = at(numbers, above)
    columns.sizes[parent] = at(columns.sizes, parent) + at(columns.sizes, at(numbers, place))
  }
}

/** The order below `parent` after the list was merged into what is there, and what the list left out. */
function mergeRun(columns: Columns, additions: Additions, complete: boolean) {
  const { list, numbers, parents } = additions
  const listed = new Map<NodeNumber, number>()
  const below = new Map<NodeNumber, NodeNumber[]>()
  for (const [place, node] of numbers.entries()) {
    listed.set(node, place)
    const above = at(parents, place) < 0 ? additions.parent : at(numbers, at(parents, place))
    const siblings = below.get(above)
    if (siblings) siblings.push(node)
    else below.set(above, [node])
  }
  const run: NodeNumber[] = []
  const dropped: NodeNumber[] = []

  function emit(node: NodeNumber, isNew: boolean, all: boolean): void {
    const present = isNew ? [] : listChildren(columns, node)
    const incoming = below.get(node) ?? []
    const wanted = new Set(incoming)
    const children = all ? incoming : [...new Set([...present, ...incoming])]
    if (all) dropped.push(...present.filter((child) => !wanted.has(child)))
    for (const child of children) {
      const place = listed.get(child)
      const start = run.length
      if (place === undefined) {
        const from = at(columns.positions, child)
        const to = from + at(columns.sizes, child)
        for (let position = from; position < to; position += 1) run.push(at(columns.order, position))
        continue
      }
      run.push(child)
      emit(child, !known.has(child), Boolean(list.complete?.[place]))
      columns.sizes[child] = run.length - start
    }
  }

  const known = new Set<NodeNumber>()
  for (const node of listed.keys()) if (isPlaced(columns, node)) known.add(node)
  emit(additions.parent, false, complete)
  return { run, dropped }
}

/** Whether a node has its place in the order; a new number has none yet. */
const isPlaced = (columns: Columns, node: NodeNumber): boolean => {
  const position = at(columns.positions, node)
  return position > 0 && position < columns.live && at(columns.order, position) === node
}

/**
 * Puts a list below a node. Nodes that are there keep their number, state and whatever is below them and not
 * in the list; of a node whose children the list holds completely (`complete` says so of the parent), the
 * children that are not in it leave. Costs as much as the list and what it is merged into, and one move of
 * what follows. Throws RangeError for a list that is not a tree or names a node twice; nothing has changed
 * then. Before the first question for a key, keys are taken as unique: half a million come in at once then.
 */
export function putList(storage: Storage, parent: NodeNumber, list: NodeList, complete: boolean): void {
  const { columns, index } = storage
  const parents = findParents(list, at(columns.depths, parent))
  const { numbers, carried } = findKnown(storage, parent, list, parents)
  const additions = { parent, list, parents, numbers, carried }
  const oldSize = at(columns.sizes, parent)
  const from = at(columns.positions, parent) + 1
  if (oldSize === 1) {
    const plain = columns.free.length === 0 && storage.pending.size === 0 && carried.size === 0
    if (plain) appendNodes(storage, additions)
    else nameNodes(storage, additions)
    sizeNewNodes(columns, additions)
    spliceOrder(columns, from, 0, numbers)
    addToSizes(columns, parent, numbers.length)
  } else {
    nameNodes(storage, additions)
    const { run, dropped } = mergeRun(columns, additions, complete)
    const gone = dropped.flatMap((node) => [
      ...columns.order.subarray(
        at(columns.positions, node),
        at(columns.positions, node) + at(columns.sizes, node),
      ),
    ])
    spliceOrder(columns, from, oldSize - 1, run)
    addToSizes(columns, parent, run.length - (oldSize - 1))
    for (const node of gone) {
      index.remove(node)
      freeNode(columns, node)
    }
  }
  if (complete) setFlag(columns, parent, flag.complete)
}
