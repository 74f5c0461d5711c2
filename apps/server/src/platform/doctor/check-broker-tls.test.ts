import { chmod } from 'node:fs/promises'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestConfig } from '../../testing/core.testkit.ts'
import { createTlsFolder, type TlsFolder } from '../mqtt/tls/tls-folder.testkit.ts'
import { checkTlsFiles } from './check-broker-tls.ts'

let folder: TlsFolder
beforeEach(() => {
  folder = createTlsFolder()
})
afterEach(() => folder.remove())

async function check(settings: Readonly<Record<string, string>> = {}) {
  const { mqtt } = createTestConfig({ ...folder.settings, ...settings })
  if (!mqtt.tls) throw new Error('no TLS')
  const findings = await checkTlsFiles(mqtt, mqtt.tls, Date.now())
  return findings.map(({ state, what }) => `${state} ${what}`)
}

test('the doctor warns before the certificate or the revocation list expires', async () => {
  const to = Date.now() + 5 * DAY_MS + HOUR_MS
  folder.writeServer(folder.authority.issue('broker', { to }))
  folder.write('crl.pem', folder.authority.revoke([], Date.now() - DAY_MS))
  expect(await check({ ISOTHERM_MQTT_CLIENT_CRL: folder.pathOf('crl.pem') })).toEqual([
    'warning certificate of the embedded broker: expires in 5 days',
    'fault revocation list of devices: expired 1 days ago',
  ])
  folder.writeServer(folder.authority.issue('broker', { to: Date.now() + 90 * DAY_MS + HOUR_MS }))
  expect(await check()).toEqual(['ok certificate of the embedded broker: valid for 90 days'])
})

test('a bad file is a fault, and an open port without TLS beside required certificates a warning', async () => {
  const required = { ISOTHERM_MQTT_CLIENT_CERTIFICATES: 'required' }
  expect((await check(required)).at(-1)).toMatch(
    /^warning broker: devices need a certificate at the port with TLS/,
  )
  const closed = { ...required, ISOTHERM_MQTT_PLAIN: '0', ISOTHERM_MODE: 'production' }
  expect(await check(closed)).toHaveLength(1)
  await chmod(folder.pathOf('server.key'), 0o644)
  expect((await check(closed))[0]).toMatch(
    /^warning key of the embedded broker: all users of the machine can read/,
  )
  folder.write('server.key', 'nothing')
  expect(await check()).toEqual(['fault broker: ISOTHERM_MQTT_TLS_KEY has no private key in PEM'])
})
