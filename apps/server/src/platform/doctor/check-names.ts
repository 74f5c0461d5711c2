import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { withTimeout } from '../tasks/timeout.ts'
import { type Finding, fault, ok, toReason } from './finding.ts'

/** Timeout of a lookup, ms: shorter than the 5 s after which the system gives up on a name server that does not answer. */
const ANSWER_MS = 4_000

const toHost = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/^\[|\]$/g, '')

/** Host names in the URLs of the settings, each with the first setting that has it. IP addresses are left out. */
function listNames(config: Config): ReadonlyMap<string, string> {
  const urls: Readonly<Record<string, string | undefined>> = {
    DATABASE_URL: config.databaseUrl,
    CLICKHOUSE_URL: config.clickhouseUrl,
    MQTT_URL: config.mqtt.url,
    ISOTHERM_FIRST_BACKEND: config.http.companyBackends['usr-cloud'],
    ISOTHERM_SECOND_BACKEND: config.http.companyBackends['ht-api'],
    ISOTHERM_SMTP_URL: config.notices.mail?.url,
    ISOTHERM_SMS_URL: config.notices.sms?.url,
    ISOTHERM_VERIFICATION_URL: config.verificationUrl,
    ISOTHERM_FORECAST_URL: config.forecastUrl,
    ISOTHERM_OIDC_ISSUER: config.oidc?.issuer,
  }
  const names = new Map<string, string>()
  for (const [setting, url] of Object.entries(urls)) {
    const host = url === undefined ? undefined : toHost(url)
    if (host && isIP(host) === 0 && !names.has(host)) names.set(host, setting)
  }
  return names
}

const findReason = (name: string, clock: Pick<Clock, 'setTimeout'>): Promise<string | undefined> =>
  withTimeout(clock, ANSWER_MS, () => lookup(name)).then(
    () => undefined,
    (error: unknown) => toReason(error),
  )

/** Whether the name servers know the host names of the settings; undefined if the settings have IP addresses only. */
export async function checkNames(
  config: Config,
  clock: Pick<Clock, 'setTimeout'>,
): Promise<readonly Finding[] | undefined> {
  const names = [...listNames(config)]
  const reasons = await Promise.all(names.map(([name]) => findReason(name, clock)))
  const faults = names.flatMap(([name, setting], index) => {
    const reason = reasons[index]
    const repair =
      'check the name servers in /etc/resolv.conf; the server connects again as soon as they answer'
    return reason === undefined ? [] : [fault(`name ${name} of ${setting}: no address (${reason})`, repair)]
  })
  if (names.length === 0) return undefined
  return faults.length > 0 ? faults : [ok(`names: ${names.length} of the settings have addresses`)]
}
