import { expect, test } from 'vitest'
import { toConfigChangeText, toEntityText, toFieldText } from './change-text.ts'

test('entities and fields of the operation log have names in both languages', () => {
  expect([toEntityText('zh', 'role-code'), toEntityText('en', 'role-code')]).toEqual([
    '角色代码',
    'role code',
  ])
  expect([toFieldText('zh', 'min_opening_pct'), toFieldText('zh', 'minOpeningPct')]).toEqual([
    '最小开度',
    '最小开度',
  ])
})

test('a key without a name is shown as it is', () => {
  expect([toEntityText('zh', 'later'), toFieldText('en', 'constructor')]).toEqual(['later', 'constructor'])
})

test('a change of a configuration has names of fields; lines, devices and profiles that are called the same have not', () => {
  const change =
    'meterZoneMin; dtu; +password; −L1; L5: password, M-1 (address, later), +M-2; port: −url; profile own; +profile port'
  expect(toConfigChangeText('zh', change)).toBe(
    '表计时钟与 UTC 相差; DTU 连接端口; +password; −L1; L5: 密码, M-1 (总线地址, later), +M-2; port: −url; 设备档案 own; +设备档案 port',
  )
  expect(toConfigChangeText('en', 'firstTimeOutMs')).toBe('First time-out')
})
