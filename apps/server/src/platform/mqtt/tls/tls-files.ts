import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { MqttTlsConfig } from '../../config/mqtt.ts'
import { ConfigError } from '../../config.ts'
import { type RevocationList, readRevocationList, readSerialNumber } from './revocation-list.mqtt.ts'

/** Texts in PEM of the port with TLS, see the broker of packages/engines. */
export interface TlsTexts {
  readonly certificate: string
  readonly key: string
  readonly clientAuthorities?: string
  readonly revocations: readonly string[]
}

/** The files of the port with TLS, read and checked. */
export interface TlsFiles {
  /** The texts of all files, to recognise a change. */
  readonly source: string
  readonly material: TlsTexts
  /** End of the certificate of the broker, Unix ms. */
  readonly expiresAt: number
  /** When the first revocation list ends, after which certificates of devices are refused; Unix ms. */
  readonly revocationsEnd: number | undefined
  /** Serial numbers of the certificates in the revocation lists. */
  readonly revoked: ReadonlySet<string>
  /** Serial numbers of the authorities of devices. */
  readonly authorities: ReadonlySet<string>
}

const [CERTIFICATE, CLIENT_CA, CLIENT_CRL] = [
  'ISOTHERM_MQTT_TLS_CERTIFICATE',
  'ISOTHERM_MQTT_CLIENT_CA',
  'ISOTHERM_MQTT_CLIENT_CRL',
] as const

/** Revocation lists may be long; certificates and keys are not. */
const MAX_BYTES = 16 * 1024 * 1024

async function readText(name: string, path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new ConfigError(`${name} is larger than 16 MB`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ConfigError(`${name} cannot be read${code}`, { cause: error })
  }
}

/** The blocks of a PEM text with a label, each with its two lines. */
const findBlocks = (text: string, label: string): readonly string[] =>
  text.match(new RegExp(`-----BEGIN ${label}-----[^-]*-----END ${label}-----`, 'g')) ?? []

function readCertificates(name: string, text: string): readonly X509Certificate[] {
  const blocks = findBlocks(text, 'CERTIFICATE')
  if (blocks.length === 0) throw new ConfigError(`${name} has no certificate in PEM`)
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch (error) {
    throw new ConfigError(`${name} has a certificate that cannot be read`, { cause: error })
  }
}

/** Throws ConfigError if the text is no private key, or not that of the certificate. */
function checkKey(text: string, certificate: X509Certificate | undefined): void {
  const name = 'ISOTHERM_MQTT_TLS_KEY'
  if (/ENCRYPTED/.test(text)) throw new ConfigError(`${name} has a passphrase; the server needs one without`)
  const key = readKey(name, text)
  if (!certificate?.checkPrivateKey(key))
    throw new ConfigError(`${name} does not belong to ISOTHERM_MQTT_TLS_CERTIFICATE`)
}

function readKey(name: string, text: string) {
  try {
    return createPrivateKey(text)
  } catch (error) {
    throw new ConfigError(`${name} has no private key in PEM`, { cause: error })
  }
}

function readLists(name: string, blocks: readonly string[]): readonly RevocationList[] {
  if (blocks.length === 0) throw new ConfigError(`${name} has no revocation list in PEM`)
  try {
    return blocks.map((block) => {
      const base64 = block.replaceAll(/-----[^-]+-----/g, '')
      return readRevocationList(Buffer.from(base64, 'base64'))
    })
  } catch (error) {
    throw new ConfigError(`${name} has a revocation list that cannot be read`, { cause: error })
  }
}

/** Texts of the files of the settings; undefined for those that are not set. */
async function readTexts({ certificateFile, keyFile, clientCaFile, clientCrlFile }: MqttTlsConfig) {
  return {
    certificate: await readText(CERTIFICATE, certificateFile),
    key: await readText('ISOTHERM_MQTT_TLS_KEY', keyFile),
    authorities: clientCaFile && (await readText(CLIENT_CA, clientCaFile)),
    lists: clientCrlFile && (await readText(CLIENT_CRL, clientCrlFile)),
  }
}

/**
 * Reads the files of the port with TLS. Returns `present`, which was read before, if no file has changed. Throws ConfigError with
 * what is wrong with which one.
 */
export async function readTlsFiles(config: MqttTlsConfig, present?: TlsFiles): Promise<TlsFiles> {
  const texts = await readTexts(config)
  const { certificate, key, authorities } = texts
  const source = JSON.stringify(texts)
  if (present?.source === source) return present
  const [own] = readCertificates(CERTIFICATE, certificate)
  checkKey(key, own)
  const trusted = authorities === undefined ? [] : readCertificates(CLIENT_CA, authorities)
  const revocations = findBlocks(texts.lists ?? '', 'X509 CRL')
  const lists = texts.lists === undefined ? [] : readLists(CLIENT_CRL, revocations)
  const ends = lists.flatMap(({ end }) => end ?? [])
  try {
    createSecureContext({ cert: certificate, key, ca: authorities, crl: [...revocations] })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${CERTIFICATE} and the files beside it cannot be used (${reason})`, {
      cause: error,
    })
  }
  return {
    source,
    material: {
      certificate,
      key,
      revocations,
      ...(authorities === undefined ? {} : { clientAuthorities: authorities }),
    },
    expiresAt: own?.validToDate.getTime() ?? 0,
    revocationsEnd: ends.length === 0 ? undefined : Math.min(...ends),
    revoked: new Set(lists.flatMap(({ serialNumbers }) => serialNumbers)),
    authorities: new Set(trusted.map(readSerialNumber)),
  }
}
