/** X.509 certificates of tests, made with the keys and signatures of Node.js only. OpenSSL judges them like any others. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** An element of DER: tag, length, content. */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => element(0x30, ...parts)
const context = (tag: number, ...parts: readonly Uint8Array[]) => element(0xa0 + tag, ...parts)
const oid = (hex: string) => element(0x06, Buffer.from(hex, 'hex'))
/** A number from 0 to 32,767. */
const integer = (value: number) =>
  element(0x02, value < 128 ? Buffer.from([value]) : Buffer.from([value >> 8, value & 0xff]))
const text = (value: string) => element(0x0c, Buffer.from(value))
const yes = element(0x01, Buffer.from([0xff]))
const bits = (bytes: Uint8Array) => element(0x03, Buffer.from([0]), bytes)
const octets = (bytes: Uint8Array) => element(0x04, bytes)
/** GeneralizedTime of an instant, Unix ms. */
const time = (at: number) =>
  element(0x18, Buffer.from(`${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`))

const COMMON_NAME = '550403'
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const nameOf = (names: readonly string[]) =>
  sequence(...names.map((name) => element(0x31, sequence(oid(COMMON_NAME), text(name)))))
const basicConstraints = (isAuthority: boolean) =>
  sequence(oid('551d13'), yes, octets(sequence(...(isAuthority ? [yes] : []))))
const localhost = sequence(
  oid('551d11'),
  octets(sequence(element(0x82, Buffer.from('localhost')), element(0x87, Buffer.from([127, 0, 0, 1])))),
)

const toPem = (label: string, der: Uint8Array) =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`

/** A certificate with its key, in PEM. */
export interface TestCertificate {
  readonly cert: string
  readonly key: string
  readonly serialNumber: number
}

export interface TestAuthority extends TestCertificate {
  /** Signs a certificate for localhost and 127.0.0.1. Several names make several common names. Instants are Unix ms; by default it holds for 30 days. */
  issue(
    names: string | readonly string[],
    validity?: { readonly from?: number; readonly to?: number },
  ): TestCertificate
  /** A revocation list, in PEM, valid until an instant. */
  revoke(serialNumbers: readonly number[], until?: number): string
}

const HOUR_MS = 3_600_000
let lastSerialNumber = 100

/** An authority with a certificate that it signed itself. */
export function createAuthority(name: string): TestAuthority {
  const now = Date.now()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const toSigned = (content: Uint8Array) =>
    sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, privateKey)))

  function certify(
    subject: readonly string[],
    key: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
    extensions: readonly Uint8Array[],
    {
      from = now - HOUR_MS,
      to = now + 30 * 24 * HOUR_MS,
    }: { readonly from?: number; readonly to?: number } = {},
  ): TestCertificate {
    lastSerialNumber += 1
    const certificate = toSigned(
      sequence(
        context(0, integer(2)),
        integer(lastSerialNumber),
        ECDSA_WITH_SHA256,
        nameOf([name]),
        sequence(time(from), time(to)),
        nameOf(subject),
        key.publicKey.export({ type: 'spki', format: 'der' }),
        context(3, sequence(...extensions)),
      ),
    )
    return {
      cert: toPem('CERTIFICATE', certificate),
      key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      serialNumber: lastSerialNumber,
    }
  }

  return {
    ...certify([name], { privateKey, publicKey }, [basicConstraints(true)]),
    issue: (names, validity) =>
      certify(
        [names].flat(),
        generateKeyPairSync('ec', { namedCurve: 'P-256' }),
        [basicConstraints(false), localhost],
        validity,
      ),
    revoke(serialNumbers, until = now + HOUR_MS) {
      const entries = serialNumbers.map((serial) => sequence(integer(serial), time(now - HOUR_MS)))
      const list = sequence(
        integer(1),
        ECDSA_WITH_SHA256,
        nameOf([name]),
        time(now - HOUR_MS),
        time(until),
        ...(entries.length === 0 ? [] : [sequence(...entries)]),
      )
      return toPem('X509 CRL', toSigned(list))
    },
  }
}
