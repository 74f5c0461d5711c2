import type { LookupOptions } from 'node:dns'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { createTargetCheck, ForbiddenAddressError, type TargetRules } from './target-address.ts'

const forbiddenOf = async (rules: Partial<TargetRules>, urls: readonly string[]) => {
  const check = createTargetCheck({ mayBeLocal: false, services: [], ...rules })
  const found = await Promise.all(urls.map((url) => check.isForbidden(new URL(url))))
  return urls.filter((_, index) => found[index])
}

const thisMachine = [
  'localhost',
  'localhost.',
  'db.localhost',
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:0.0.0.0]',
  '2130706433',
].map((host) => `http://${host}/`)
const neighbours = [
  '169.254.169.254',
  '100.100.100.200',
  '[fd00:ec2::254]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:5601:5601::1]',
  '[::a9fe:a9fe]',
  '[::127.0.0.1]',
  '[fe80::1]',
  '[::ffff:169.254.169.254]',
  '224.0.0.1',
  '255.255.255.255',
].map((host) => `http://${host}/`)
const others = [
  'http://10.1.2.3/',
  'http://192.168.0.9/',
  'http://172.16.0.1/',
  'http://8.8.8.8/',
  'http://[fd00::1]/',
]

test('this machine and link-local addresses are forbidden in every notation', async () => {
  const all = [...thisMachine, ...neighbours]
  expect(await forbiddenOf({}, all)).toEqual(all)
  expect(await forbiddenOf({}, others)).toEqual([])
})

test('all addresses of this machine are forbidden', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((known) => known ?? [])
    .map(({ address, family }) =>
      family === 'IPv6' ? `http://[${address.split('%')[0]}]/` : `http://${address}/`,
    )
  expect(own.length).toBeGreaterThan(0)
  expect(await forbiddenOf({}, own)).toEqual(own)
})

test('allowing this machine does not allow link-local addresses', async () => {
  expect(await forbiddenOf({ mayBeLocal: true }, [...thisMachine, ...neighbours])).toEqual(neighbours)
})

test('the hosts of the services are forbidden, by name and by address', async () => {
  const services = ['postgres://me:k@db.inner:5433/isotherm', 'http://10.0.0.5:8123/', 'mqtts://[fd00::7]']
  const urls = [
    'http://db.inner/',
    'http://DB.inner.:8080/',
    'http://10.0.0.5:9000/',
    'https://[fd00:0::7]/',
    'http://[::ffff:10.0.0.5]/',
  ]
  for (const mayBeLocal of [true, false]) {
    expect(
      await forbiddenOf({ services, mayBeLocal }, [...urls, 'http://web.inner/', 'http://10.0.0.6/']),
    ).toEqual(urls)
  }
})

test('with a list of hosts all others are forbidden, and listed ones are still checked', async () => {
  const hosts = ['robot.example', '.company.example', '10.1.2.3', 'fd00::1', '127.0.0.1']
  const good = [
    'https://robot.example/send',
    'https://ROBOT.example.:8443/',
    'http://a.b.company.example/',
    'http://10.1.2.3/',
    'http://[fd00:0::1]/',
  ]
  const bad = [
    'http://company.example/',
    'http://notcompany.example/',
    'http://robot.example.evil.example/',
    'http://10.1.2.4/',
    'http://127.0.0.1/',
  ]
  expect(await forbiddenOf({ hosts }, [...good, ...bad])).toEqual(bad)
})

test('if this machine is allowed, only the ports of its services are forbidden', async () => {
  const services = ['postgres://me@localhost/isotherm', 'http://127.0.0.1:8123/', 'mqtt://[::1]']
  const urls = ['http://127.0.0.1:5432/', 'http://localhost:8123/', 'http://[::1]:1883/']
  expect(
    await forbiddenOf({ services, mayBeLocal: true }, [...urls, 'http://127.0.0.1:8080/', 'http://[::1]/']),
  ).toEqual(urls)
})

test('a name is connected only to its allowed addresses, whatever it resolves to by then', async () => {
  const check = createTargetCheck({ mayBeLocal: false, services: [] })
  const lookUp = (hostname: string, options: LookupOptions = {}) =>
    new Promise((resolve) =>
      check.lookUpFor(new URL('http://target.example/'))(hostname, options, (error, address, family) =>
        resolve(error ?? [address, family]),
      ),
    )
  // An address is its own answer, without a name server.
  expect(await lookUp('93.184.216.34')).toEqual(['93.184.216.34', 4])
  expect(await lookUp('93.184.216.34', { all: true })).toEqual([
    [{ address: '93.184.216.34', family: 4 }],
    undefined,
  ])
  for (const address of ['127.0.0.1', '::1', '169.254.169.254'])
    expect(await lookUp(address)).toBeInstanceOf(ForbiddenAddressError)
})
