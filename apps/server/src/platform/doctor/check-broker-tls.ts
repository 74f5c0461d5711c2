import { stat } from 'node:fs/promises'
import {
  CERTIFICATE_WARNING_DAYS,
  LIST_WARNING_DAYS,
} from '@isotherm/contract/endpoints/administration/broker'
import { DAY_MS } from '@isotherm/kernel/durations'
import type { MqttTlsConfig } from '../config/mqtt.ts'
import { type Config, ConfigError } from '../config.ts'
import { readTlsFiles } from '../mqtt/tls/tls-files.ts'
import { checkEmbeddedBroker } from './check-listeners.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** The ports of the embedded broker that the settings name. */
export async function checkBrokerPorts(
  { host, port, isPlain, tls }: Config['mqtt'],
  server: Config['http'],
): Promise<readonly Finding[]> {
  return Promise.all([
    ...(isPlain ? [checkEmbeddedBroker({ host, port }, server)] : []),
    ...(tls ? [checkEmbeddedBroker({ host, port: tls.port }, server, 'ISOTHERM_MQTT_TLS_PORT')] : []),
  ])
}

function judgeEnd(what: string, end: number, now: number, warningDays: number, repair: string): Finding {
  const days = Math.floor((end - now) / DAY_MS)
  if (end <= now) return fault(`${what}: expired ${Math.floor((now - end) / DAY_MS)} days ago`, repair)
  return days < warningDays
    ? warning(`${what}: expires in ${days} days`, repair)
    : ok(`${what}: valid for ${days} days`)
}

/** A group may share the key with the program that renews it; other users may not read it. */
async function checkKeyRights(file: string): Promise<readonly Finding[]> {
  const { mode } = await stat(file)
  if ((mode & 0o007) === 0) return []
  return [
    warning(`key of the embedded broker: all users of the machine can read ${file}`, `chmod o= ${file}`),
  ]
}

/** The files of the port with TLS, and how long they hold. */
export async function checkTlsFiles(
  { isPlain }: Pick<Config['mqtt'], 'isPlain'>,
  tls: MqttTlsConfig,
  now: number,
): Promise<readonly Finding[]> {
  try {
    const { expiresAt, revocationsEnd } = await readTlsFiles(tls)
    const repair = 'renew it; the server reads the file within a minute'
    const name = 'certificate of the embedded broker'
    return [
      ...(await checkKeyRights(tls.keyFile)),
      judgeEnd(name, expiresAt, now, CERTIFICATE_WARNING_DAYS, repair),
      ...(revocationsEnd === undefined
        ? []
        : [judgeEnd('revocation list of devices', revocationsEnd, now, LIST_WARNING_DAYS, repair)]),
      ...(tls.isCertificateRequired && isPlain
        ? [
            warning(
              'broker: devices need a certificate at the port with TLS, but none at the one without',
              'set ISOTHERM_MQTT_PLAIN=0 once all devices use TLS',
            ),
          ]
        : []),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fault(`broker: ${error.message}`, 'see docs/recipes/connect-devices-with-certificates.md')]
  }
}
