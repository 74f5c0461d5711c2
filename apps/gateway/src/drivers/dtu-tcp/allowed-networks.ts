import { BlockList, isIPv6 } from 'node:net'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** A test whether an address is in one of the networks. Without networks every address is. */
export function createAllowedNetworks(
  networks: readonly string[] | undefined,
): (address: string | undefined) => boolean {
  if (networks === undefined) return () => true
  const listed = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) listed.addAddress(address, familyOf(address))
    else listed.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => address !== undefined && listed.check(address, familyOf(address))
}
