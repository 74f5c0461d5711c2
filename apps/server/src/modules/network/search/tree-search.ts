import type { DeviceKind } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import { watchingDevices } from '@isotherm/contract/endpoints/devices/device-access'
import type { searchTree, TreeHit, TreeStep } from '@isotherm/contract/endpoints/network/tree'
import type { Gate } from '@isotherm/kernel/gate'
import type { Caller } from '../../../platform/http/call.ts'
import { ranks } from '../names/search-match.ts'
import {
  type AddressPart,
  type SearchText,
  toAddresses,
  toPieces,
  toSearchText,
} from '../names/search-text.ts'
import { nodeTypes, toNodeKey } from '../nodes/node-key.ts'
import type { FoundNode, StepRow } from './found-node.ts'
import type { SearchDatabase } from './search-queries.pg.ts'
import { type Findings, idsOf, type SearchScope } from './search-scope.ts'
import { createSearchSources, type SearchSource } from './search-source.ts'

/** A device that matches a search, with its node. */
export interface FoundDevice {
  readonly id: number
  readonly serial: string
  readonly name: string
  readonly kind: DeviceKind
  readonly nodeId: number
  readonly path: string
  readonly level: number
  readonly match: 'serial' | 'imei' | 'meter'
  /** Whether the text is the whole number, its start or its end. */
  readonly how: 'exact' | 'start' | 'end'
}

/** The account that searches. */
export type Searcher = Pick<Caller, 'permissions' | 'scope'>

export interface TreeSearchNeeds {
  readonly database: SearchDatabase
  /** Finds devices of the scope by serial, IMEI and meter number, best first, at most `limit`. */
  readonly searchDevices: (
    searchScope: SearchScope,
    text: string,
    limit: number,
  ) => Promise<Findings<FoundDevice>>
  readonly runQueued: Gate
}

interface Found extends FoundNode {
  readonly device?: FoundDevice
}

const deviceRanks = { exact: ranks.deviceExact, start: ranks.deviceStart, end: ranks.deviceEnd } as const

const toStep = (row: StepRow): TreeStep => ({
  node: toNodeKey(row),
  label: row.name,
  level: row.level,
  nodetype: nodeTypes[row.kind],
})

function toMatch({ rank, device }: Found): TreeHit['match'] {
  if (device) return device.match
  if (rank === ranks.address) return 'address'
  return rank === ranks.pinyinStart || rank === ranks.pinyinInside ? 'pinyin' : 'name'
}

function toHit(found: Found, steps: ReadonlyMap<number, TreeStep>): TreeHit | undefined {
  const ids = idsOf(found.path)
  const chain = ids.flatMap((id) => steps.get(id) ?? [])
  // The node may have been removed after it was found.
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

/** Only callers who may list devices get devices in the answer. */
const mayWatch = ({ permissions }: Searcher): boolean =>
  watchingDevices.anyOf.some((permission) => permissions.has(permission))

const nothing = { found: [], isIncomplete: false } as const

/** Searches the nodes and devices the scope covers. Each hit has its path from the project down. */
export function createTreeSearch({ database, searchDevices, runQueued }: TreeSearchNeeds) {
  const findSource = createSearchSources(database)

  async function findByAddress(
    source: SearchSource,
    { folded }: SearchText,
    limit: number,
  ): Promise<Findings<FoundNode>> {
    const addresses = toAddresses(toPieces(folded))
    if (addresses.length === 0) return nothing
    const texts = new Set(addresses.flat().flatMap((part) => part.texts))
    const counts = await source.countNames([...texts])
    if (!counts) return { found: [], isIncomplete: true }
    const countsOf = ({ texts: ofPart }: AddressPart): ReadonlyMap<number, number> => {
      const sums = new Map<number, number>()
      for (const text of ofPart) {
        for (const [level, count] of counts.get(text) ?? []) sums.set(level, (sums.get(level) ?? 0) + count)
      }
      return sums
    }
    // Names outside the scope must not influence the result, so each reading is tried until one has results.
    for (const address of addresses) {
      const parts = address.map((part) => ({ ...part, names: countsOf(part) }))
      if (parts.some(({ names }) => names.size === 0)) continue
      const findings = await source.findByParts(parts, limit)
      if (findings.isIncomplete || findings.found.length > 0) return findings
    }
    return nothing
  }

  /** Best first. */
  async function findAll(searcher: Searcher, source: SearchSource, text: SearchText, limit: number) {
    const [names, devices] = await Promise.all([
      source.findByName(text, limit),
      mayWatch(searcher) ? searchDevices(source.searchScope, text.plain, limit) : nothing,
    ])
    const found: Found[] = [
      ...names.found,
      ...devices.found.map((device) => ({ ...device, rank: deviceRanks[device.how], device })),
    ]
    // Addresses rank last, so they are searched only if there are too few other results.
    const byAddress = found.length < limit ? await findByAddress(source, text, limit) : nothing
    const named = new Set(names.found.map(({ nodeId }) => nodeId))
    found.push(...byAddress.found.filter(({ nodeId }) => !named.has(nodeId)))
    // The sort is stable: results of the same rank and level stay in the order of the queries.
    const ordered = found.sort((left, right) => left.rank - right.rank || left.level - right.level)
    return {
      found: ordered,
      isIncomplete: names.isIncomplete || devices.isIncomplete || byAddress.isIncomplete,
    }
  }

  return async (
    searcher: Searcher,
    { text, size }: InputOf<typeof searchTree>,
    revision?: number,
  ): Promise<OutputOf<typeof searchTree>> => {
    const typed = toSearchText(text)
    if (!typed) return { datalist: [], more: false }
    return runQueued(async () => {
      const source = await findSource(searcher.scope, revision)
      // One more than requested shows whether there are more.
      const { found, isIncomplete } = await findAll(searcher, source, typed, size + 1)
      const wanted = found.slice(0, size)
      const rows = await source.listSteps([...new Set(wanted.flatMap(({ path }) => idsOf(path)))])
      const steps = new Map(rows.map((row) => [row.id, toStep(row)]))
      return {
        datalist: wanted.flatMap((each) => toHit(each, steps) ?? []),
        more: isIncomplete || found.length > size,
      }
    })
  }
}
