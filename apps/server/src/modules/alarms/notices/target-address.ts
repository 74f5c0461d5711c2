import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Link-local addresses, for example the metadata service of a cloud, and addresses of more than one machine. */
const forbidden = new BlockList()
forbidden.addSubnet('169.254.0.0', 16, 'ipv4')
forbidden.addAddress('100.100.100.200', 'ipv4')
forbidden.addSubnet('224.0.0.0', 4, 'ipv4')
forbidden.addSubnet('240.0.0.0', 4, 'ipv4')
forbidden.addAddress('fd00:ec2::254', 'ipv6')
// IPv6 forms that carry any IPv4 address: NAT64 translators (RFC 6052, RFC 8215), 6to4, Teredo, IPv4-compatible.
forbidden.addSubnet('64:ff9b::', 96, 'ipv6')
forbidden.addSubnet('64:ff9b:1::', 48, 'ipv6')
forbidden.addSubnet('2002::', 16, 'ipv6')
forbidden.addSubnet('2001::', 32, 'ipv6')
forbidden.addRange('::2', '::ffff:ffff', 'ipv6')
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addSubnet('fec0::', 10, 'ipv6')
forbidden.addSubnet('ff00::', 8, 'ipv6')

/** Loopback and unspecified addresses: this machine. */
const local = new BlockList()
local.addSubnet('0.0.0.0', 8, 'ipv4')
local.addSubnet('127.0.0.0', 8, 'ipv4')
local.addAddress('::', 'ipv6')
local.addAddress('::1', 'ipv6')

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')

function isThisMachine(address: string): boolean {
  if (local.check(address, familyOf(address))) return true
  const own = new BlockList()
  for (const known of Object.values(networkInterfaces()).flat()) {
    if (known) own.addAddress(known.address, familyOf(known.address))
  }
  return own.check(address, familyOf(address))
}

const toHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const standardPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'mqtt:': 1883,
  'mqtts:': 8883,
  'postgres:': 5432,
  'postgresql:': 5432,
}
const toPort = ({ port, protocol }: URL): number =>
  port === '' ? (standardPorts[protocol] ?? 0) : Number(port)

interface Service {
  readonly host: string
  readonly port: number
}

function toService(text: string): Service {
  const url = new URL(text)
  return { host: toHost(url.hostname), port: toPort(url) }
}

export interface TargetRules {
  /** Allows targets on this machine itself. */
  readonly mayBeLocal: boolean
  /** URLs of this system's databases and broker. */
  readonly services: readonly string[]
  /** The only hosts that targets may lead to; a dot in front allows all hosts below a name. Absent or empty: any. */
  readonly hosts?: readonly string[]
}

/** Checks the addresses of targets. Private networks of a company are allowed, because its receivers are there. */
export interface TargetCheck {
  /** Whether a URL is forbidden. A host name is checked only by `lookUpFor`. */
  isForbidden(url: URL): Promise<boolean>
  /** DNS lookup for a URL that returns only allowed addresses, so that the connection uses a checked address. */
  lookUpFor(url: URL): LookupFunction
}

/** A host name that resolves only to forbidden addresses. */
export class ForbiddenAddressError extends Error {}

/**
 * Forbids hosts that are not listed, link-local addresses, this machine unless it is allowed, and the machines of this
 * system's services. If this machine is allowed, only the ports of the services are forbidden.
 */
export function createTargetCheck({ mayBeLocal, services: urls, hosts = [] }: TargetRules): TargetCheck {
  const isListed = (host: string): boolean =>
    hosts.length === 0 || hosts.some((one) => (one.startsWith('.') ? host.endsWith(one) : host === one))
  const services = urls.map(toService).filter(({ host }) => host !== '')
  /** Last known addresses of services, for a failed DNS lookup. */
  const found = new Map<string, readonly string[]>()

  async function listAddresses({ host }: Service): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host]
    try {
      const addresses = (await lookup(host, { all: true })).map(({ address }) => address)
      found.set(host, addresses)
      return addresses
    } catch {
      return found.get(host) ?? []
    }
  }

  async function isAddressForbidden(address: string, port: number): Promise<boolean> {
    if (forbidden.check(address, familyOf(address))) return true
    const isHere = isThisMachine(address)
    if (isHere && !mayBeLocal) return true
    for (const service of services) {
      const addresses = await listAddresses(service)
      if (isHere) {
        if (service.port === port && addresses.some(isThisMachine)) return true
        continue
      }
      const where = new BlockList()
      for (const one of addresses) where.addAddress(one, familyOf(one))
      if (where.check(address, familyOf(address))) return true
    }
    return false
  }

  return {
    async isForbidden(url) {
      const host = toHost(url.hostname)
      if (!isListed(host)) return true
      if (isIP(host) !== 0) return isAddressForbidden(host, toPort(url))
      if (isLocalName(host)) return isAddressForbidden('127.0.0.1', toPort(url))
      return services.some((service) => service.host === host)
    },
    lookUpFor: (url) => (hostname, options, callback) => {
      const find = async (): Promise<{ address: string; family: number }[]> => {
        const addresses = await lookup(hostname, { ...options, all: true })
        const isOut = await Promise.all(
          addresses.map(({ address }) => isAddressForbidden(address, toPort(url))),
        )
        return addresses.filter((_, index) => !isOut[index])
      }
      find().then(
        (allowed) => {
          const [first] = allowed
          if (!first) callback(new ForbiddenAddressError('resolves to a forbidden address'), '', 0)
          else if (options.all) callback(null, allowed)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      )
    },
  }
}
