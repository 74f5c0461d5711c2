import { expect, test } from 'vitest'
import { toCsv } from '../../../shared/records/to-csv.ts'
import { toHashColumns } from './hash-columns.ts'

test('the file of hashes has one line for each login, with a quote before what a spreadsheet takes for a formula', () => {
  const login = {
    username: '-north/C-1',
    mosquitto: '$7$101$a$b',
    emqxHash: 'f0',
    emqxSalt: '0a',
    rabbitmq: '+hash',
  }
  expect(toCsv(toHashColumns('用户名'), [login]).split('\r\n')).toEqual([
    '\uFEFF用户名,Mosquitto,EMQX,EMQX salt,RabbitMQ',
    "'-north/C-1,$7$101$a$b,f0,0a,'+hash",
    '',
  ])
})
