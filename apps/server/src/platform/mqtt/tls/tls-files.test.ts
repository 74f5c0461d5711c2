import { createAuthority } from '@isotherm/engines/broker/certificates.testkit'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestConfig } from '../../../testing/core.testkit.ts'
import { ConfigError } from '../../config.ts'
import { readRevocationList } from './revocation-list.mqtt.ts'
import { readTlsFiles } from './tls-files.ts'
import { createTlsFolder, type TlsFolder } from './tls-folder.testkit.ts'

let folder: TlsFolder
beforeEach(() => {
  folder = createTlsFolder()
})
afterEach(() => folder.remove())

const read = async () => {
  const { tls } = createTestConfig({
    ...folder.settings,
    ISOTHERM_MQTT_CLIENT_CRL: folder.pathOf('revoked.pem'),
  }).mqtt
  if (!tls) throw new Error('no TLS')
  return readTlsFiles(tls)
}

const toDer = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64')

test('the files are read with the ends in them', async () => {
  const until = Math.floor(Date.now() / 1000) * 1000 + 60_000
  const lists = [folder.authority.revoke([7], until + 1_000), createAuthority('two').revoke([8], until)]
  folder.write('revoked.pem', lists.join('\n'))
  const files = await read()
  expect(files.revocationsEnd).toBe(until)
  expect(files.material.revocations).toHaveLength(2)
  expect(files.revoked).toEqual(new Set(['7', '8']))
  expect(files.authorities.size).toBe(1)
  expect(files.expiresAt).toBeGreaterThan(Date.now())
})

test.each<[string, string | undefined, string]>([
  ['server.pem', undefined, 'ISOTHERM_MQTT_TLS_CERTIFICATE cannot be read (ENOENT)'],
  ['server.pem', 'no PEM', 'ISOTHERM_MQTT_TLS_CERTIFICATE has no certificate in PEM'],
  [
    'server.pem',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    'ISOTHERM_MQTT_TLS_CERTIFICATE has a certificate that cannot be read',
  ],
  ['server.key', 'no PEM', 'ISOTHERM_MQTT_TLS_KEY has no private key in PEM'],
  [
    'server.key',
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n',
    'ISOTHERM_MQTT_TLS_KEY has a passphrase; the server needs one without',
  ],
  [
    'server.key',
    createAuthority('x').key,
    'ISOTHERM_MQTT_TLS_KEY does not belong to ISOTHERM_MQTT_TLS_CERTIFICATE',
  ],
  ['clients.pem', '', 'ISOTHERM_MQTT_CLIENT_CA has no certificate in PEM'],
  ['revoked.pem', 'no PEM', 'ISOTHERM_MQTT_CLIENT_CRL has no revocation list in PEM'],
  [
    'revoked.pem',
    '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n',
    'ISOTHERM_MQTT_CLIENT_CRL has a revocation list that cannot be read',
  ],
])('a bad %s is an error in plain words: %#', async (name, text, expected) => {
  folder.write('revoked.pem', folder.authority.revoke([]))
  if (text === undefined) folder.remove()
  else folder.write(name, text)
  const error = await read().catch((caught: unknown) => caught)
  if (text === undefined) folder = createTlsFolder()
  expect(error).toBeInstanceOf(ConfigError)
  expect(error).toHaveProperty('message', expected)
})

test('a revocation list that is cut off or changed is read or refused, never something else', () => {
  const until = Math.floor(Date.now() / 1000) * 1000
  const der = toDer(createAuthority('one').revoke([1, 2, 3], until))
  expect(readRevocationList(der)).toEqual({ end: until, serialNumbers: ['1', '2', '3'] })
  fc.assert(
    fc.property(fc.nat(der.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
      const bytes = isCut ? der.subarray(0, at) : Buffer.from(der).fill(byte, at, at + 1)
      try {
        expect(['number', 'undefined']).toContain(typeof readRevocationList(bytes).end)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect(error).not.toBeInstanceOf(TypeError)
      }
    }),
  )
})
