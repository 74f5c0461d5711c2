import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { toSerialNumber } from './der.ts'

/** The certificate that a client presented in its TLS handshake; its key is proved, the certificate need not be valid. */
export interface ClientCertificate {
  /** Common name of its subject; undefined if it has none or several. */
  readonly name: string | undefined
  /** Whether it names one of the authorities of the broker as its own; that may be a lie, see `fault`. */
  readonly isAuthorityKnown: boolean
  /** In hexadecimal digits without leading zeros, upper case. */
  readonly serialNumber: string
  /** Begin of its validity, Unix ms. */
  readonly issuedAt: number
  /** End of its validity, Unix ms. */
  readonly expiresAt: number
  /** Why OpenSSL does not trust it, such as `CERT_HAS_EXPIRED`, or `CERT_UNREADABLE`; undefined if it does. */
  readonly fault: string | undefined
}

/** Stands for a certificate that OpenSSL reads and this program does not. */
const UNREADABLE: ClientCertificate = {
  name: undefined,
  isAuthorityKnown: false,
  serialNumber: '',
  issuedAt: 0,
  expiresAt: Number.POSITIVE_INFINITY,
  fault: 'CERT_UNREADABLE',
}

/** Names of the authorities in a PEM text. Throws if it has a certificate that cannot be read. */
export function readAuthorityNames(text: string): ReadonlySet<string> {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  return new Set(blocks.map((block) => new X509Certificate(block).subject))
}

/** The certificate of the other side; undefined if it presented none. Authorities are the names of those of the broker. */
export function readClientCertificate(
  socket: TLSSocket,
  authorities: ReadonlySet<string>,
): ClientCertificate | undefined {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) return undefined
  try {
    return readCertificate(certificate, socket, authorities)
  } catch {
    // Anybody can send such a certificate before any sign-in; its refusal names the fault.
    return UNREADABLE
  }
}

function readCertificate(
  certificate: X509Certificate,
  socket: TLSSocket,
  authorities: ReadonlySet<string>,
): ClientCertificate {
  const name: unknown = certificate.toLegacyObject().subject.CN
  return {
    name: typeof name === 'string' ? name : undefined,
    isAuthorityKnown: authorities.has(certificate.issuer),
    serialNumber: toSerialNumber(certificate.serialNumber),
    issuedAt: certificate.validFromDate.getTime(),
    expiresAt: certificate.validToDate.getTime(),
    fault: socket.authorized ? undefined : String(socket.authorizationError),
  }
}
