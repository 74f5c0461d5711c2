import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

function toIPv4(high: string, low: string): string {
  const bits = [high, low].map((group) => Number.parseInt(group, 16))
  return bits.flatMap((group) => [group >> 8, group & 0xff]).join('.')
}

/** The first four groups of an address in its shortest form. */
function toPrefix(shortest: string): string {
  const [before = '', after = ''] = shortest.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === '' ? [] : after.split(':')
  const gap = shortest.includes('::') ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : []
  return [...head, ...gap, ...tail].slice(0, 4).join(':')
}

/**
 * What one client is told from another by: its IPv4 address, or the /64 of its IPv6 address, for within that
 * a client picks addresses as it likes.
 */
export function toNetworkOf(address: string): string {
  const plain = address.split('%')[0] ?? ''
  if (!isIPv6(plain)) return address
  const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [, high, low] = MAPPED.exec(shortest) ?? []
  return high !== undefined && low !== undefined ? toIPv4(high, low) : `${toPrefix(shortest)}::/64`
}
