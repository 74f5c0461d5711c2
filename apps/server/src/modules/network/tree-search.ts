import type { DeviceKind } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { NodeType, searchTree, TreeHit, TreeStep } from '@isotherm/contract/endpoints/tree'
import { type Scope, toDisjointPaths } from '../../platform/scope.ts'
import { toNodeKey } from './node-key.ts'
import { type FoundNode, ranks, type StepRow, type TreeSearchStore } from './search-store.ts'
import { type SearchText, toCandidates, toParts, toPieces, toSearchText } from './search-text.ts'
import type { NodeKind } from './tables.ts'

/** A device that a search found, and where it stands. */
export interface FoundDevice {
  readonly id: number
  readonly serial: string
  readonly name: string
  readonly kind: DeviceKind
  readonly nodeId: number
  readonly path: string
  readonly level: number
  readonly match: 'serial' | 'imei' | 'meter'
  /** Whether the whole of it was typed, its start or its end. */
  readonly how: 'exact' | 'start' | 'end'
}

export interface TreeSearchNeeds {
  readonly store: TreeSearchStore
  /**
   * Devices of the scope by serial, IMEI and meter number, best first, at most `limit`. Undefined when it took
   * longer than a search may.
   */
  readonly searchDevices: (
    scope: Scope,
    text: string,
    limit: number,
  ) => Promise<readonly FoundDevice[] | undefined>
}

interface Found extends FoundNode {
  readonly device?: FoundDevice
}

const deviceRanks = { exact: ranks.deviceExact, start: ranks.deviceStart, end: ranks.deviceEnd } as const

const nodeTypes: Readonly<Record<NodeKind, NodeType>> = {
  project: 'project',
  group: 'group',
  'sub-user': 'user',
  address: 'addr',
}

const toStep = (row: StepRow): TreeStep => ({
  node: toNodeKey(row),
  label: row.name,
  level: row.level,
  nodetype: nodeTypes[row.kind],
})

const idsOf = (path: string): readonly number[] => path.split('/').filter(Boolean).map(Number)

function toMatch({ rank, device }: Found): TreeHit['match'] {
  if (device) return device.match
  if (rank === ranks.address) return 'address'
  return rank === ranks.pinyinStart || rank === ranks.pinyinInside ? 'pinyin' : 'name'
}

function toHit(found: Found, steps: ReadonlyMap<number, TreeStep>): TreeHit | undefined {
  const ids = idsOf(found.path)
  const chain = ids.flatMap((id) => steps.get(id) ?? [])
  // A node may be gone since it was found.
  if (chain.length < ids.length) return undefined
  const { device } = found
  return {
    chain,
    nestaddr: chain.map(({ label }) => label).join(','),
    projectid: ids[0] ?? 0,
    match: toMatch(found),
    ...(device
      ? { device: { id: device.id, serial: device.serial, name: device.name, kind: device.kind } }
      : {}),
  }
}

/** Search over the whole tree: what the scope covers, with the way down to it. */
export function createTreeSearch({ store, searchDevices }: TreeSearchNeeds) {
  async function findByAddress(scope: Scope, { folded }: SearchText, limit: number) {
    const tokens = toPieces(folded)
    if (tokens.length === 0) return []
    const counts = await store.countNames(scope, toCandidates(tokens))
    if (!counts) return undefined
    const countOf = (part: string): number => counts.get(part) ?? 0
    const parts = toParts(tokens, (candidate) => countOf(candidate) > 0)
    if (parts.length < 2) return []
    return store.findByParts(
      scope,
      parts.map((part) => ({ part, names: countOf(part) })),
      limit,
    )
  }

  /** Best first. `isCut` says that something could not be looked through in time. */
  async function findAll(scope: Scope, text: SearchText, limit: number) {
    const [names, devices] = await Promise.all([
      store.findByName(scope, text, limit),
      searchDevices(scope, text.plain, limit),
    ])
    const found: Found[] = [
      ...(names ?? []),
      ...(devices ?? []).map((device) => ({ ...device, rank: deviceRanks[device.how], device })),
    ]
    // Addresses come after everything else: they are not wanted when that is enough.
    const byAddress = found.length < limit ? await findByAddress(scope, text, limit) : []
    const named = new Set(names?.map(({ nodeId }) => nodeId))
    found.push(...(byAddress ?? []).filter(({ nodeId }) => !named.has(nodeId)))
    // The sort is stable: within rank and level the stores' order stays.
    const ordered = found.sort((left, right) => left.rank - right.rank || left.level - right.level)
    return { found: ordered, isCut: [names, devices, byAddress].includes(undefined) }
  }

  return async (
    anyScope: Scope,
    { text, size }: InputOf<typeof searchTree>,
  ): Promise<OutputOf<typeof searchTree>> => {
    const typed = toSearchText(text)
    if (!typed) return { datalist: [], more: false }
    const scope: Scope =
      anyScope.kind === 'all' ? anyScope : { kind: 'paths', paths: toDisjointPaths(anyScope.paths) }
    // One more than wanted tells whether there are more.
    const { found, isCut } = await findAll(scope, typed, size + 1)
    const wanted = found.slice(0, size)
    const rows = await store.listSteps([...new Set(wanted.flatMap(({ path }) => idsOf(path)))])
    const steps = new Map(rows.map((row) => [row.id, toStep(row)]))
    return {
      datalist: wanted.flatMap((each) => toHit(each, steps) ?? []),
      more: isCut || found.length > size,
    }
  }
}
