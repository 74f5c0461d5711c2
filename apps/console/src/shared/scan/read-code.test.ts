import { toImei } from '@isotherm/kernel/imei'
import { expect, test } from 'vitest'
import { readCode, type ScannedCode } from './read-code.ts'

const IMEI = toImei('86772403000001')

const numbers = (given: Extract<ScannedCode, { kind: 'numbers' }>['numbers']): ScannedCode => ({
  kind: 'numbers',
  numbers: given,
})
const unknown: ScannedCode = { kind: 'unknown' }

test.each<readonly [string, string, ScannedCode]>([
  ['a label of ours', 'http://127.0.0.1:8080/dev/devdebug?id=42', { kind: 'device', id: 42 }],
  [
    'a label with another name of the server',
    'HTTPS://heat.example.com/console/dev/devdebug?id=42&range=7d',
    { kind: 'device', id: 42 },
  ],
  [
    'a label of a place',
    'https://heat.example.com/dev/devdebug?node=0b4c7bf2-1a4f-4f6e-9a55-0a6f3c1d2e3f-L2-1%E5%8D%95%E5%85%83-301',
    { kind: 'place', node: '0b4c7bf2-1a4f-4f6e-9a55-0a6f3c1d2e3f-L2-1单元-301' },
  ],
  ['a label of the whole tree', 'https://heat.example.com/dev/devdebug?node=-1', unknown],
  ['a label of no place', 'https://heat.example.com/dev/devdebug?node=x', unknown],
  ['our page without a number', 'https://heat.example.com/dev/devdebug?id=', unknown],
  ['a number that none of our devices has', 'https://heat.example.com/dev/devdebug?id=1.5', unknown],
  ['a serial', ' HV-25_00123 ', numbers({ serial: 'HV-25_00123' })],
  ['an IMEI', IMEI, numbers({ imei: IMEI })],
  ['15 digits that are no IMEI', '867724030000010', numbers({ serial: '867724030000010' })],
  ['fields', `SN:HV25-7;IMEI:${IMEI}`, numbers({ serial: 'HV25-7', imei: IMEI })],
  ['fields in lines', `S/N: HV25-7\r\nIMEI: ${IMEI}`, numbers({ serial: 'HV25-7', imei: IMEI })],
  ['fields after spaces', `Serial No.: HV25-7 IMEI: ${IMEI}`, numbers({ serial: 'HV25-7', imei: IMEI })],
  ['Chinese fields', '序列号：HV25-7，表号：12345678', numbers({ serial: 'HV25-7', meterNo: '12345678' })],
  ['a field after a space', 'SN HV25-7', numbers({ serial: 'HV25-7' })],
  ['an IMEI beside other numbers', `${IMEI};460040000000000`, numbers({ imei: IMEI })],
  ['JSON', `{"sn":"HV25-7","imei":${IMEI}}`, numbers({ serial: 'HV25-7', imei: IMEI })],
  ['an address of a maker', `https://maker.example/p?sn=HV25-7&lang=zh`, numbers({ serial: 'HV25-7' })],
  ['an address without a number', 'https://maker.example/manual.pdf', unknown],
  [
    'a LoRaWAN label',
    'LW:D0:1122334455667788:24E124756E049516:AABB1122',
    numbers({ serial: '24e124756e049516' }),
  ],
  ['a field of a DevEUI', 'DevEUI:24E124756E049516', numbers({ serial: '24e124756e049516' })],
  ['a serial that no device may have', 'SN:a/b', unknown],
  ['JSON that is none', '{"sn":', unknown],
  ['a list', '["sn"]', unknown],
  ['a name of a network', 'WIFI:T:WPA;S:office;P:secret;;', unknown],
  ['a long text', 'x'.repeat(5_000), unknown],
  ['nothing', ' ', unknown],
])('%s is read', (_what, text, expected) => {
  expect(readCode(text)).toEqual(expected)
})
