import type { Device } from '@isotherm/contract/devices'
import type { Vauser } from '@isotherm/contract/endpoints/network/network'
import { ADDRESS_SEPARATOR, type NodeKey, parseNodeKey, toAddressKey } from '@isotherm/contract/tree'
import { toCompactAddress } from '../../../shared/format/address.ts'
import type { SelectedNode } from '../../../shared/nodes/tree-selection.ts'
import { DEVICE_PATH } from '../../../shared/scan/read-code.ts'
import type { Label } from './label-sheet.tsx'

const toUrl = (search: string): string => new URL(`${DEVICE_PATH}?${search}`, location.origin).href

/** The label of a device opens its page. */
export const toDeviceLabel = ({ id, name, nestaddr, imei }: Device): Label => ({
  key: String(id),
  url: toUrl(`id=${id}`),
  place: toCompactAddress(nestaddr),
  name,
  number: imei,
})

/** Uuid of the building of a building, unit or household, and the address within it; undefined for other nodes. */
export function findBuilding(node: NodeKey): { readonly uuid: string; readonly address: string } | undefined {
  const parsed = parseNodeKey(node)
  if (parsed.kind === 'sub-user') return { uuid: parsed.uuid, address: '' }
  return parsed.kind === 'address' ? { uuid: parsed.uuid, address: parsed.address } : undefined
}

const isWithin = (address: string, outer: string): boolean =>
  outer === '' || address === outer || address.startsWith(`${outer}${ADDRESS_SEPARATOR}`)

/** Labels of the households at or below a node of a building, and of units without households, in order of their names. */
export function toPlaceLabels(
  { key, nestaddr = '' }: Pick<SelectedNode, 'key' | 'nestaddr'>,
  { uuid, addrlist }: Pick<Vauser, 'uuid' | 'addrlist'>,
): readonly Label[] {
  const outer = findBuilding(key)?.address ?? ''
  const parents = new Set(
    addrlist.map((address) => address.split(ADDRESS_SEPARATOR).slice(0, -1).join(ADDRESS_SEPARATOR)),
  )
  const depthOfOuter = outer === '' ? 0 : outer.split(ADDRESS_SEPARATOR).length
  const building = nestaddr
    .split(',')
    .slice(0, -depthOfOuter || undefined)
    .join(',')
  return addrlist
    .filter((address) => isWithin(address, outer) && !parents.has(address))
    .toSorted(new Intl.Collator('zh', { numeric: true }).compare)
    .map((address) => {
      const node = toAddressKey(uuid, address.split(ADDRESS_SEPARATOR).length, address)
      return {
        key: node,
        url: toUrl(`node=${encodeURIComponent(node)}`),
        place: toCompactAddress(building),
        name: address,
        number: '',
      }
    })
}
