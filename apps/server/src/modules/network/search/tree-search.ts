import type { DeviceKind } from '@isotherm/contract/devices'
import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import { watchingDevices } from '@isotherm/contract/endpoints/device-access'
import type { searchTree, TreeHit, TreeStep } from '@isotherm/contract/endpoints/tree'
import type { Caller } from '../../../platform/http/call.ts'
import {
  type AddressPart,
  type SearchText,
  toAddresses,
  toPieces,
  toSearchText,
} from '../names/search-text.ts'
import { nodeTypes, toNodeKey } from '../nodes/node-key.ts'
import { createSearchPlaces, type SearchPlace } from './search-place.ts'
import type { SearchTurns } from './search-queue.ts'
import { type Findings, idsOf, type SearchField } from './search-scope.ts'
import { type FoundNode, ranks, type StepRow, type TreeSearchStore } from './search-store.ts'

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

/** Who searches. */
export type Searcher = Pick<Caller, 'accountId' | 'permissions' | 'scope'>

export interface TreeSearchNeeds {
  readonly store: TreeSearchStore
  /** Devices of the field by serial, IMEI and meter number, best first, at most `limit`. */
  readonly searchDevices: (field: SearchField, text: string, limit: number) => Promise<Findings<FoundDevice>>
  /** Waits until the account may search, and searches. Throws request.too-many. */
  readonly inTurn: SearchTurns
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

/** Whether the caller may know of devices at all: those who may list them. */
const mayWatch = ({ permissions }: Searcher): boolean =>
  watchingDevices.anyOf.some((permission) => permissions.has(permission))

const nothing = { found: [], isCut: false } as const

/** Search over the whole tree: what the scope covers, with the way down to it. */
export function createTreeSearch({ store, searchDevices, inTurn }: TreeSearchNeeds) {
  const findPlace = createSearchPlaces(store)

  async function findByAddress(
    place: SearchPlace,
    { folded }: SearchText,
    limit: number,
  ): Promise<Findings<FoundNode>> {
    const addresses = toAddresses(toPieces(folded))
    if (addresses.length === 0) return nothing
    const texts = new Set(addresses.flat().flatMap((part) => part.texts))
    const counts = await place.countNames([...texts])
    if (!counts) return { found: [], isCut: true }
    const countsOf = ({ texts: ofPart }: AddressPart): ReadonlyMap<number, number> => {
      const sums = new Map<number, number>()
      for (const text of ofPart) {
        for (const [level, count] of counts.get(text) ?? []) sums.set(level, (sums.get(level) ?? 0) + count)
      }
      return sums
    }
    // What is found must not depend on names outside the field: each reading is tried until one finds something.
    for (const address of addresses) {
      const parts = address.map((part) => ({ ...part, names: countsOf(part) }))
      if (parts.some(({ names }) => names.size === 0)) continue
      const findings = await place.findByParts(parts, limit)
      if (findings.isCut || findings.found.length > 0) return findings
    }
    return nothing
  }

  /** Best first. */
  async function findAll(searcher: Searcher, place: SearchPlace, text: SearchText, limit: number) {
    const [names, devices] = await Promise.all([
      place.findByName(text, limit),
      mayWatch(searcher) ? searchDevices(place.field, text.plain, limit) : nothing,
    ])
    const found: Found[] = [
      ...names.found,
      ...devices.found.map((device) => ({ ...device, rank: deviceRanks[device.how], device })),
    ]
    // Addresses come after everything else: they are not wanted when that is enough.
    const byAddress = found.length < limit ? await findByAddress(place, text, limit) : nothing
    const named = new Set(names.found.map(({ nodeId }) => nodeId))
    found.push(...byAddress.found.filter(({ nodeId }) => !named.has(nodeId)))
    // The sort is stable: within rank and level the stores' order stays.
    const ordered = found.sort((left, right) => left.rank - right.rank || left.level - right.level)
    return { found: ordered, isCut: names.isCut || devices.isCut || byAddress.isCut }
  }

  return async (
    searcher: Searcher,
    { text, size }: InputOf<typeof searchTree>,
    revision?: number,
  ): Promise<OutputOf<typeof searchTree>> => {
    const typed = toSearchText(text)
    if (!typed) return { datalist: [], more: false }
    return inTurn(searcher.accountId, async () => {
      const place = await findPlace(searcher.scope, revision)
      // One more than wanted tells whether there are more.
      const { found, isCut } = await findAll(searcher, place, typed, size + 1)
      const wanted = found.slice(0, size)
      const rows = await place.listSteps([...new Set(wanted.flatMap(({ path }) => idsOf(path)))])
      const steps = new Map(rows.map((row) => [row.id, toStep(row)]))
      return {
        datalist: wanted.flatMap((each) => toHit(each, steps) ?? []),
        more: isCut || found.length > size,
      }
    })
  }
}
