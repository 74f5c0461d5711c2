import type { DtuLine, DtuListener } from '@isotherm/contract/gateway-config'

/** Longest registration packet, bytes. */
const MAX_BYTES = 256

export type RegistrationOutcome<Found> =
  /** `rest`: bytes after the packet, which already belong to the bus. */
  | { readonly kind: 'known'; readonly found: Found; readonly rest: Uint8Array; readonly packetHex: string }
  /** With more bytes it may become a known packet. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'unknown' }

/** Finds the line of a new connection by its registration packet. */
export interface RegistrationIndex<Found> {
  find(bytes: Uint8Array): RegistrationOutcome<Found>
}

const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

/** The bytes that a unit sends first. */
export function toRegistrationPacket(
  { prefixHex = '', suffixHex = '' }: Pick<DtuListener, 'prefixHex' | 'suffixHex'>,
  { registration }: Pick<DtuLine, 'registration'>,
): Uint8Array {
  return Buffer.concat([
    Buffer.from(prefixHex, 'hex'),
    Buffer.from(registration),
    Buffer.from(suffixHex, 'hex'),
  ])
}

/**
 * Form of a registration. A port on the Internet also gets requests of scanners; most of them contain other characters.
 */
const NAME = /^[A-Za-z0-9_.:-]{4,64}$/

/** The registration in the first packet of a unit that belongs to no line; undefined if the packet contains none. */
export function findRegistration(
  { prefixHex = '', suffixHex = '' }: Pick<DtuListener, 'prefixHex' | 'suffixHex'>,
  bytes: Uint8Array,
): string | undefined {
  const [prefix, suffix] = [prefixHex.toLowerCase(), suffixHex.toLowerCase()]
  const hex = toHex(bytes)
  if (!hex.startsWith(prefix) || !hex.endsWith(suffix)) return undefined
  const name = Buffer.from(hex.slice(prefix.length, hex.length - suffix.length), 'hex')
    .toString('latin1')
    .trim()
  return NAME.test(name) ? name : undefined
}

/**
 * Finds packets by their first bytes, because a packet may arrive in pieces or together with the first bytes of the
 * bus. The longest packet wins, because one registration may be the start of another.
 */
export function createRegistrationIndex<Found>(
  packets: readonly { readonly packet: Uint8Array; readonly found: Found }[],
): RegistrationIndex<Found> {
  const byPacket = new Map(packets.map(({ packet, found }) => [toHex(packet), found]))
  const sizes = [...new Set(packets.map(({ packet }) => packet.length))].sort((a, b) => b - a)
  const longest = Math.min(sizes[0] ?? 0, MAX_BYTES)
  return {
    find(bytes) {
      for (const size of sizes) {
        if (size > bytes.length) continue
        const packetHex = toHex(bytes.subarray(0, size))
        const found = byPacket.get(packetHex)
        if (found !== undefined) return { kind: 'known', found, rest: bytes.subarray(size), packetHex }
      }
      return bytes.length < longest ? { kind: 'incomplete' } : { kind: 'unknown' }
    },
  }
}
