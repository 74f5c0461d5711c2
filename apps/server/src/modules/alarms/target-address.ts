import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Addresses no message goes to unless it is configured: this machine itself, and what only a neighbour answers, such
 * as the metadata service of a cloud. Networks of a company are allowed: that is where its receivers are.
 */
const forbidden = new BlockList()
forbidden.addSubnet('0.0.0.0', 8, 'ipv4')
forbidden.addSubnet('127.0.0.0', 8, 'ipv4')
forbidden.addSubnet('169.254.0.0', 16, 'ipv4')
forbidden.addSubnet('224.0.0.0', 4, 'ipv4')
forbidden.addSubnet('240.0.0.0', 4, 'ipv4')
forbidden.addAddress('::', 'ipv6')
forbidden.addAddress('::1', 'ipv6')
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addSubnet('ff00::', 8, 'ipv6')
forbidden.addSubnet('fec0::', 10, 'ipv6')

/** Whether an IP address is forbidden; an IPv4 address in the clothes of an IPv6 one too. */
export const isForbiddenAddress = (address: string): boolean =>
  forbidden.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether a host as it stands in a URL is a forbidden address; of a name only looking it up tells. */
export function isForbiddenHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return isIP(host) !== 0 && isForbiddenAddress(host)
}
