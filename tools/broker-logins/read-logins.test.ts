import type { BrokerLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { expect, test } from 'vitest'
import { toBrokerLogin } from '../../apps/server/src/platform/mqtt/broker-hashes.ts'
import { readBrokerLogins, readLogins } from './read-logins.ts'

test('the logins of an exported list are read in either language, also with commas in names', () => {
  const csv = [
    '\uFEFF名称,序列号,用户名,客户端标识,密码,上行主题,下行主题',
    '"一号站, ""东"" 区",C-1,demo/C-1,demo/C-1,secret-1,hx/v1/demo/C-1/up,hx/v1/demo/C-1/down',
    'C-2,C-2,demo/C-2,demo/C-2,secret-2,hx/v1/demo/C-2/up,hx/v1/demo/C-2/down',
    'C-3,C-3,demo/C-3,demo/C-3,,hx/v1/demo/C-3/up,hx/v1/demo/C-3/down,shown to wang',
    '',
  ].join('\r\n')
  expect(readLogins(csv)).toEqual([
    { username: 'demo/C-1', password: 'secret-1' },
    { username: 'demo/C-2', password: 'secret-2' },
  ])
})

const whole = toBrokerLogin({ username: 'demo/C-1', password: 'secret-1' })
/** The file as the console writes it (hash-columns.test.ts): a quote before what a spreadsheet takes for a formula. */
const write = (logins: readonly BrokerLogin[]) =>
  [
    '\uFEFF用户名,Mosquitto,EMQX,EMQX salt,RabbitMQ',
    ...logins.map(({ username, mosquitto, emqxHash, emqxSalt, rabbitmq }) =>
      [username, mosquitto, emqxHash, emqxSalt, rabbitmq]
        .map((cell) => (/^[=+\-@]/.test(cell) ? `'${cell}` : cell))
        .join(','),
    ),
    '',
  ].join('\r\n')

test('the hashes of an exported list are read as they were written, whatever a spreadsheet takes for a formula', () => {
  const logins = [
    whole,
    { ...whole, username: '-north/C-2', rabbitmq: `+${whole.rabbitmq.slice(1)}` },
    { ...whole, username: '-1/-2' },
  ]
  expect(readBrokerLogins(write(logins))).toEqual(logins)
})

test('no hash of a password begins like a formula', () => {
  const logins = Array.from({ length: 300 }, () => toBrokerLogin({ username: 'demo/C', password: 's' }))
  expect(logins.filter(({ rabbitmq }) => rabbitmq.startsWith('+'))).toEqual([])
})

test.each(['username', 'mosquitto', 'emqxHash', 'emqxSalt', 'rabbitmq'] as const)(
  'a line whose %s was changed is named',
  (key) => {
    const broken = { ...whole, [key]: `${whole[key]} ` }
    expect(() => readBrokerLogins(write([whole, broken]))).toThrow(
      `line 3 (${broken.username}): not as exported: ${key}`,
    )
  },
)

test('a file that is no such list has no logins', () => {
  expect(readLogins('a,b\n1,2\n')).toEqual([])
  expect(readBrokerLogins(write([]))).toEqual([])
  expect(() => readBrokerLogins('a,b\n1,2\n')).toThrow('line 2 (1): not as exported')
})
