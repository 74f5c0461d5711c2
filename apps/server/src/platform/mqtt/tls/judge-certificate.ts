import { type GatewayName, toMqttUsername } from '@isotherm/contract/mqtt'

/** Why a gateway may not sign in because of its certificate, or because it has none. */
export type CertificateRefusal =
  | 'no-certificate'
  | 'untrusted-certificate'
  | 'expired-certificate'
  | 'revoked-certificate'
  | 'unchecked-certificate'
  | 'wrong-certificate'

/** What a gateway presents at its CONNECT. */
interface Presented {
  readonly isEncrypted: boolean
  readonly certificate?: {
    /** Common name; undefined if there are none or several. */
    readonly name: string | undefined
    /** Why OpenSSL does not trust it. */
    readonly fault: string | undefined
    /** Whether it names an authority of the broker as its issuer. */
    readonly isAuthorityKnown: boolean
  }
}

/** The faults of OpenSSL that have a reason of their own. */
const reasons: Readonly<Record<string, CertificateRefusal>> = {
  CERT_HAS_EXPIRED: 'expired-certificate',
  CERT_REVOKED: 'revoked-certificate',
  // Faults of the revocation list, not of the certificate.
  CRL_HAS_EXPIRED: 'unchecked-certificate',
  CRL_NOT_YET_VALID: 'unchecked-certificate',
}

/**
 * Why the gateway may not sign in with this certificate, or without one; undefined if nothing speaks against it. A presented
 * certificate must be valid and have the user name as its common name, even if a password would do.
 */
export function judgeCertificate(
  { tenant, gateway }: GatewayName,
  { isEncrypted, certificate }: Presented,
  isRequired: boolean,
): CertificateRefusal | undefined {
  if (certificate === undefined) return isEncrypted && isRequired ? 'no-certificate' : undefined
  const { fault, name, isAuthorityKnown } = certificate
  // The revocation list is missing. Of an unknown authority the server needs none: such a certificate is untrusted.
  if (fault === 'UNABLE_TO_GET_CRL' && isAuthorityKnown) return 'unchecked-certificate'
  if (fault !== undefined) return reasons[fault] ?? 'untrusted-certificate'
  return name === toMqttUsername(tenant, gateway) ? undefined : 'wrong-certificate'
}
