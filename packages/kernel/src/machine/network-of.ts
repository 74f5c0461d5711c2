/**
 * IPv6 prefixes of the four bytes of an IPv4 address: mapped (RFC 4291, 2.5.5.2), and translated from an IPv6-only
 * network (RFC 6052, 2.1). Without the second, all clients behind a translator would count as one.
 */
const IPV4_PREFIXES: readonly string[] = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

function toIPv4(groups: readonly string[]): string {
  const bits = groups.map((group) => Number.parseInt(group, 16))
  return bits.flatMap((group) => [group >> 8, group & 0xff]).join('.')
}

/** The eight groups of an address in its shortest form. */
function toGroups(shortest: string): readonly string[] {
  const [before = '', after = ''] = shortest.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === '' ? [] : after.split(':')
  const gap = shortest.includes('::') ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : []
  return [...head, ...gap, ...tail]
}

/**
 * The network that identifies a client: its IPv4 address, or the /64 prefix of its IPv6 address, because a client picks
 * any address within its /64. Clients that have gone have no address any more, and count as one network.
 */
export function toNetworkOf(address: string | undefined): string {
  if (address === undefined) return 'gone'
  const url = `http://[${address.split('%')[0]}]`
  // Brackets hold addresses of IPv6 only; a URL writes them in their shortest form.
  if (!URL.canParse(url)) return address
  const groups = toGroups(new URL(url).hostname.slice(1, -1))
  if (IPV4_PREFIXES.includes(groups.slice(0, 6).join(':'))) return toIPv4(groups.slice(6))
  return `${groups.slice(0, 4).join(':')}::/64`
}
