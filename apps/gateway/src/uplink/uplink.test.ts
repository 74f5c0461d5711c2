import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBroker } from '@isotherm/engines/broker/broker'
import { createAuthority, type TestCertificate } from '@isotherm/engines/broker/certificates.testkit'
import { afterEach, expect, test } from 'vitest'
import { openUplink } from './uplink.mqtt.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const toHex = ({ serialNumber }: TestCertificate) => serialNumber.toString(16).toUpperCase()

/** A broker that notes the serial numbers of certificates, and the files of a gateway. */
async function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-uplink-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const authority = createAuthority('authority')
  const pathOf = (name: string) => join(folder, name)
  writeFileSync(pathOf('ca.pem'), authority.cert)
  const own = authority.issue('broker')
  const seen: (string | undefined)[] = []
  const problems: string[] = []
  const broker = await startBroker({
    host: '127.0.0.1',
    port: undefined,
    tls: {
      port: 0,
      material: { certificate: own.cert, key: own.key, clientAuthorities: authority.cert, revocations: [] },
    },
    authenticate({ certificate }, password) {
      seen.push(certificate?.serialNumber)
      return password === '' && certificate?.fault === undefined
    },
    mayPublish: () => true,
    maySubscribe: () => true,
    store: async () => undefined,
  })
  closers.push(broker.close)
  return {
    seen,
    problems,
    broker,
    first: authority.issue('demo/GW-1'),
    renewed: authority.issue('demo/GW-1'),
    write({ cert, key }: Pick<TestCertificate, 'cert' | 'key'>) {
      writeFileSync(pathOf('gw.pem'), cert)
      writeFileSync(pathOf('gw.key'), key, { mode: 0o600 })
    },
    start() {
      const uplink = openUplink({
        tenant: 'demo',
        gateway: 'GW-1',
        url: `mqtts://127.0.0.1:${broker.tlsPort}`,
        tls: { certificate: pathOf('gw.pem'), key: pathOf('gw.key'), authorities: pathOf('ca.pem') },
        boot: () => 1,
        now: Date.now,
        onConnected: () => undefined,
        onAck: () => undefined,
        onCommand: () => undefined,
        onHistory: () => undefined,
        onProblem: (text) => problems.push(text),
      })
      closers.push(uplink.close)
      return uplink
    },
  }
}

test('the gateway connects with its certificate, and after a renewal with the new one', async () => {
  const { write, start, first, renewed, seen, broker } = await prepare()
  write(first)
  start()
  await expect.poll(() => seen).toEqual([toHex(first)])
  write(renewed)
  broker.disconnectWhere(() => true)
  await expect.poll(() => seen.at(-1)).toBe(toHex(renewed))
})

test('half renewed files change nothing at a reconnection, and the other half is taken', async () => {
  const { write, start, first, renewed, seen, broker, problems } = await prepare()
  write(first)
  start()
  await expect.poll(() => seen).toEqual([toHex(first)])
  write({ ...renewed, key: first.key })
  broker.disconnectWhere(() => true)
  await expect.poll(() => seen).toEqual([toHex(first), toHex(first)])
  expect(problems).toEqual([expect.stringMatching(/^the files of the certificate cannot be used .*mismatch/)])
  write(renewed)
  broker.disconnectWhere(() => true)
  await expect.poll(() => seen.at(-1)).toBe(toHex(renewed))
})

test('a gateway that starts with half of its files connects once they are whole, and can be closed before', async () => {
  const { write, start, first, seen, problems } = await prepare()
  write({ ...first, key: '' })
  await start().close()
  start()
  await expect.poll(() => problems).toHaveLength(2)
  write(first)
  await expect.poll(() => seen).toEqual([toHex(first)])
})
