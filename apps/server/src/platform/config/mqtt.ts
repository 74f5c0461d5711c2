import { z } from 'zod'

const file = z.string().min(1).optional()

const port = z.coerce.number().int().min(0).max(65_535)
/** Enough for 100,000 households: 2,000 concentrators and 30,000 sensors with a radio of their own. */
export const DEFAULT_MQTT_CONNECTIONS = 50_000
/** About 100 MB of unfinished TLS handshakes. */
export const DEFAULT_MQTT_PENDING = 2_000

/** Environment variables of the embedded broker. */
export const mqttEnvironment = {
  ISOTHERM_MQTT_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that the embedded broker listens on; without it ISOTHERM_HOST'),
  ISOTHERM_MQTT_PORT: port.default(1883).describe('Port for devices; 0 takes a free one'),
  ISOTHERM_MQTT_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(DEFAULT_MQTT_CONNECTIONS)
    .describe(
      'Connections of devices that the embedded broker takes; the limit of open files must be higher',
    ),
  ISOTHERM_MQTT_PENDING: z.coerce
    .number()
    .int()
    .min(10)
    .max(100_000)
    .default(DEFAULT_MQTT_PENDING)
    .describe(
      'Connections that have not signed in to the embedded broker; one network may have half of them. Further ones take the place of those that wait longer than 3 s, or are refused',
    ),
  ISOTHERM_MQTT_PLAIN: z
    .enum(['0', '1'], 'is not 0 or 1')
    .default('1')
    .describe('0 closes the port for devices without TLS; not in the demo, whose devices use it'),
  ISOTHERM_MQTT_TLS_PORT: port
    .optional()
    .describe('Port for devices with TLS, usually 8883; 0 takes a free one. Without it there is none'),
  ISOTHERM_MQTT_TLS_CERTIFICATE: file.describe(
    'File with the certificate of the broker and those of intermediate authorities, in PEM. Read again when it changes, as the other files',
  ),
  ISOTHERM_MQTT_TLS_KEY: file.describe('File with the private key of this certificate, in PEM'),
  ISOTHERM_MQTT_CLIENT_CA: file.describe(
    'File with the authorities that sign the certificates of devices, in PEM; without it devices have none',
  ),
  ISOTHERM_MQTT_CLIENT_CRL: file.describe(
    'File with the revocation lists of all these authorities, in PEM; without it no certificate is revoked',
  ),
  ISOTHERM_MQTT_CLIENT_CERTIFICATES: z
    .enum(['optional', 'required'], 'is not optional or required')
    .default('optional')
    .describe(
      'required: a device signs in at the port with TLS with a certificate only; optional: with a certificate or its password',
    ),
}

export interface MqttTlsConfig {
  /** 0: any free port. */
  readonly port: number
  readonly certificateFile: string
  readonly keyFile: string
  readonly clientCaFile?: string | undefined
  readonly clientCrlFile?: string | undefined
  /** Whether a device needs a certificate to sign in. */
  readonly isCertificateRequired: boolean
}

type Variables = z.infer<z.ZodObject<typeof mqttEnvironment>> & {
  readonly ISOTHERM_MODE: 'demo' | 'production'
}

/** What is wrong in the combination of the variables; undefined if nothing is. */
export function findMqttTlsFault(read: Variables): string | undefined {
  const isOpen = read.ISOTHERM_MQTT_TLS_PORT !== undefined
  if (isOpen && !(read.ISOTHERM_MQTT_TLS_CERTIFICATE && read.ISOTHERM_MQTT_TLS_KEY))
    return 'ISOTHERM_MQTT_TLS_PORT needs ISOTHERM_MQTT_TLS_CERTIFICATE and ISOTHERM_MQTT_TLS_KEY'
  if (read.ISOTHERM_MQTT_PLAIN === '0' && !isOpen)
    return 'ISOTHERM_MQTT_PLAIN=0 needs ISOTHERM_MQTT_TLS_PORT: devices would have no port'
  if (read.ISOTHERM_MQTT_PLAIN === '0' && read.ISOTHERM_MODE === 'demo')
    return 'ISOTHERM_MQTT_PLAIN must be 1 in the demo: its devices connect without TLS'
  const isRequired = read.ISOTHERM_MQTT_CLIENT_CERTIFICATES === 'required'
  for (const name of ['ISOTHERM_MQTT_TLS_CERTIFICATE', 'ISOTHERM_MQTT_CLIENT_CA'] as const)
    if (read[name] !== undefined && !isOpen) return `${name} needs ISOTHERM_MQTT_TLS_PORT`
  if (isRequired && read.ISOTHERM_MQTT_CLIENT_CA === undefined)
    return 'ISOTHERM_MQTT_CLIENT_CERTIFICATES=required needs ISOTHERM_MQTT_CLIENT_CA'
  if (read.ISOTHERM_MQTT_CLIENT_CRL !== undefined && read.ISOTHERM_MQTT_CLIENT_CA === undefined)
    return 'ISOTHERM_MQTT_CLIENT_CRL needs ISOTHERM_MQTT_CLIENT_CA'
  return undefined
}

export function toMqttTls(read: Variables): {
  readonly isPlain: boolean
  readonly tls?: MqttTlsConfig
} {
  const isPlain = read.ISOTHERM_MQTT_PLAIN === '1'
  const { ISOTHERM_MQTT_TLS_CERTIFICATE: certificateFile, ISOTHERM_MQTT_TLS_KEY: keyFile } = read
  if (read.ISOTHERM_MQTT_TLS_PORT === undefined || certificateFile === undefined || keyFile === undefined)
    return { isPlain }
  return {
    isPlain,
    tls: {
      port: read.ISOTHERM_MQTT_TLS_PORT,
      certificateFile,
      keyFile,
      clientCaFile: read.ISOTHERM_MQTT_CLIENT_CA,
      clientCrlFile: read.ISOTHERM_MQTT_CLIENT_CRL,
      isCertificateRequired: read.ISOTHERM_MQTT_CLIENT_CERTIFICATES === 'required',
    },
  }
}
