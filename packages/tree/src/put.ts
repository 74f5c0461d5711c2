import { checkAbove, isDeclined } from './checks.ts'
import {
  addNode,
  at,
  type Columns,
  clearFlag,
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
import { addToSizes, insertNext, isWithin, listChildren, spliceOrder } from './preorder.ts'

/** Data that change together when nodes are added or removed. */
export interface Storage {
  readonly columns: Columns
  readonly index: KeyIndex
  /** State by key of nodes that are not loaded yet: the checked and expanded bits that they get when they are loaded. */
  readonly pending: Map<string, number>
  /** State by key of removed nodes, which get it back when they are loaded again, here or elsewhere. */
  readonly departed: Map<string, number>
}

const STATE = flag.checked | flag.chosen | flag.expanded
const ADOPTED = STATE

/** Frees the numbers of nodes that are no longer in the order, and stores their state. */
function release({ columns, index, departed }: Storage, nodes: Iterable<NodeNumber>): void {
  for (const node of nodes) {
    const state = at(columns.flags, node) & STATE
    if (state !== 0) departed.set(columns.keys[node] ?? '', state)
    index.remove(node)
    freeNode(columns, node)
  }
}

/** Removes a node and the nodes below it. Throws RangeError for the root. */
export function removeNode(storage: Storage, node: NodeNumber): void {
  const { columns } = storage
  const parent = at(columns.parents, node)
  if (parent === NO_NODE) throw new RangeError('the root cannot be removed')
  const from = at(columns.positions, node)
  const size = at(columns.sizes, node)
  const gone = columns.order.slice(from, from + size)
  spliceOrder(columns, from, size, [])
  addToSizes(columns, parent, -size)
  release(storage, gone)
}

/** Throws RangeError for a key that occurs twice in the list, or that belongs to the parent or a node above it. */
function checkKeys({ columns, index }: Storage, parent: NodeNumber, { keys }: NodeList): void {
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key)) throw new RangeError(`key ${key} twice`)
    seen.add(key)
    const known = index.find(key)
    if (known !== NO_NODE && isWithin(columns, parent, known)) throw new RangeError(`key ${key} below itself`)
  }
}

/** Numbers of the list's nodes that are already at their place. Nodes that are elsewhere are removed first. */
function findKnown(storage: Storage, parent: NodeNumber, list: NodeList, parents: Int32Array) {
  const { columns, index } = storage
  const numbers = new Int32Array(list.keys.length).fill(NO_NODE)
  checkKeys(storage, parent, list)
  for (const [place, key] of list.keys.entries()) {
    const known = index.find(key)
    if (known === NO_NODE) continue
    const above = at(parents, place)
    const expected = above < 0 ? parent : at(numbers, above)
    if (at(columns.parents, known) === expected) numbers[place] = known
    else removeNode(storage, known)
  }
  return numbers
}

interface Additions {
  readonly parent: NodeNumber
  readonly list: NodeList
  readonly parents: Int32Array
  readonly numbers: Int32Array
}

function completeNode(columns: Columns, node: NodeNumber): void {
  setFlag(columns, node, flag.complete)
  clearFlag(columns, node, flag.stale)
}

/** Takes the stored state of a key: pending, or from before its removal. Pending checks are dropped below an unchecked node. */
function takeState({ columns, pending, departed }: Storage, key: string, parent: NodeNumber): number {
  const before = departed.get(key) ?? 0
  const waiting = pending.get(key) ?? 0
  departed.delete(key)
  pending.delete(key)
  if (waiting === 0 || !isDeclined(columns, parent)) return before | waiting
  return before | (waiting & ~(flag.checked | flag.chosen))
}

/**
 * Assigns numbers to the new nodes of a list and updates the known ones. Children of a directly checked node are checked
 * and expanded (specification, section 4).
 */
function numberNodes(storage: Storage, additions: Additions): void {
  const { columns, index } = storage
  const { list, parent, parents, numbers } = additions
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
      if (complete !== 0) completeNode(columns, known)
      continue
    }
    const above = at(parents, place) < 0 ? parent : at(numbers, at(parents, place))
    const adopted = hasFlag(columns, above, flag.chosen) ? ADOPTED : 0
    const node = addNode(
      columns,
      { key, label, kind, level, parent: above, depth: base + (list.depths[place] ?? 1) },
      complete | adopted | takeState(storage, key, above),
    )
    if (hasFlag(columns, node, flag.checked)) checkAbove(columns, node)
    numbers[place] = node
    index.add(node)
  }
}

/** Whether all nodes of a list are new and get consecutive numbers; this is how half a million nodes are loaded. */
const isPlain = ({ columns, index, pending, departed }: Storage, parent: NodeNumber): boolean =>
  at(columns.sizes, parent) === 1 &&
  !index.isBuilt() &&
  columns.free.length + pending.size + departed.size === 0

/**
 * Adds a list of only new nodes below a node. Allocates no temporary array of its length, because the first access to new
 * memory takes longer than the writing itself.
 */
function appendNodes(columns: Columns, parent: NodeNumber, list: NodeList, parents: Int32Array): void {
  const base = at(columns.depths, parent)
  const first = columns.count
  const count = list.keys.length
  reserve(columns, count)
  columns.keys = appended(columns.keys, list.keys)
  columns.labels = appended(columns.labels, list.labels)
  columns.count += count
  const adopting = hasFlag(columns, parent, flag.chosen) ? ADOPTED : 0
  columns.levels.set(list.levels, first)
  columns.kinds.set(list.kinds, first)
  const { depths, complete } = list
  const { flags, sizes } = columns
  for (let place = 0; place < count; place += 1) {
    const node = first + place
    const above = parents[place] ?? 0
    columns.parents[node] = above < 0 ? parent : first + above
    columns.depths[node] = base + (depths[place] ?? 1)
    flags[node] = complete?.[place] ? adopting | flag.complete : adopting
    sizes[node] = 1
  }
  for (let place = count - 1; place >= 0; place -= 1) {
    const above = parents[place] ?? 0
    if (above >= 0) sizes[first + above] = (sizes[first + above] ?? 0) + (sizes[first + place] ?? 0)
  }
  insertNext(columns, at(columns.positions, parent) + 1, first, count)
  addToSizes(columns, parent, count)
}

/** Joins a long list into one new array, and appends a short one to the old array. */
function appended(texts: string[], list: readonly string[]): string[] {
  if (list.length > texts.length) return texts.concat(list)
  for (const text of list) texts.push(text)
  return texts
}

/** Subtree sizes of new nodes that have exactly the subtrees of the list. */
function sizeNewNodes(columns: Columns, { parents, numbers }: Additions): void {
  const { sizes } = columns
  for (let place = numbers.length - 1; place >= 0; place -= 1) {
    const above = parents[place] ?? 0
    if (above < 0) continue
    const parent = numbers[above] ?? 0
    sizes[parent] = (sizes[parent] ?? 0) + (sizes[numbers[place] ?? 0] ?? 0)
  }
}

/** The order below `parent` after the list was merged into it, and the nodes that the list does not contain. */
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

/** Whether a node is already in the order; a new number is not. */
const isPlaced = (columns: Columns, node: NodeNumber): boolean => {
  const position = at(columns.positions, node)
  return position > 0 && position < columns.live && at(columns.order, position) === node
}

/**
 * Adds a list below a node. Existing nodes keep their number, their state and the nodes below them that are not in the
 * list. If the list contains all children of a node (`complete` for the parent), its other children are removed. The cost
 * is proportional to the list and the merged subtree, plus one move of the entries behind. Throws RangeError, without any
 * change, for a list that is not a tree or has a key twice. Before the first lookup by key the keys are not checked, so that
 * half a million nodes load fast.
 */
export function putList(storage: Storage, parent: NodeNumber, list: NodeList, complete: boolean): void {
  const { columns } = storage
  const parents = findParents(list, at(columns.depths, parent))
  if (isPlain(storage, parent)) {
    appendNodes(columns, parent, list, parents)
    if (complete) completeNode(columns, parent)
    return
  }
  const numbers = findKnown(storage, parent, list, parents)
  const additions = { parent, list, parents, numbers }
  const oldSize = at(columns.sizes, parent)
  const from = at(columns.positions, parent) + 1
  if (oldSize === 1) {
    numberNodes(storage, additions)
    sizeNewNodes(columns, additions)
    spliceOrder(columns, from, 0, numbers)
    addToSizes(columns, parent, numbers.length)
  } else {
    numberNodes(storage, additions)
    const { run, dropped } = mergeRun(columns, additions, complete)
    const gone = dropped.flatMap((node) => [
      ...columns.order.subarray(
        at(columns.positions, node),
        at(columns.positions, node) + at(columns.sizes, node),
      ),
    ])
    spliceOrder(columns, from, oldSize - 1, run)
    addToSizes(columns, parent, run.length - (oldSize - 1))
    release(storage, gone)
  }
  if (complete) completeNode(columns, parent)
}
