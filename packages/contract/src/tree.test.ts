import { expect, test } from 'vitest'
import { givenName, trimmedName } from './entity.ts'
import { addressName, nodeName, parseNodeKey, ROOT_KEY, toAddressKey } from './tree.ts'

const uuid = '0190b1a2-33c4-7d5e-8f60-718293a4b5c6'

test('a key is parsed to the node that it was created for', () => {
  expect(parseNodeKey(ROOT_KEY)).toEqual({ kind: 'root' })
  expect(parseNodeKey('42')).toEqual({ kind: 'group', id: 42 })
  expect(parseNodeKey(uuid)).toEqual({ kind: 'sub-user', uuid })
  expect(parseNodeKey(toAddressKey(uuid, 2, '1单元-301'))).toEqual({
    kind: 'address',
    uuid,
    depth: 2,
    address: '1单元-301',
  })
})

test.each(['', '0', '-2', '4x', `${uuid}-L-x`, `${uuid}-L1-`, '12345678901234567890'])(
  '%j is not a key',
  (key) => {
    expect(parseNodeKey(key)).toEqual({ kind: 'invalid' })
  },
)

test('names of projects, groups and buildings may have hyphens; units and households may not', () => {
  for (const name of ['A-3号楼', '-1层', '东区']) expect(nodeName.safeParse(name).success).toBe(true)
  for (const name of ['东,区', ' 东区', '']) expect(nodeName.safeParse(name).success).toBe(false)
  expect(addressName.safeParse('1单元').success).toBe(true)
  for (const name of ['1-1', '1,1', '']) expect(addressName.safeParse(name).success).toBe(false)
})

test.each([
  ['nothing', ''],
  ['spaces only', ' \t'],
  ['a line break', 'north\nvalve'],
  ['NUL', 'a\u0000b'],
  ['half a character', 'a\ud800b'],
  ['a sign that turns the direction of writing', '\u202eevlav'],
  ['more than 60 characters', '阀'.repeat(61)],
])('a name of %s is refused', (_what, name) => {
  expect(givenName.safeParse(name).success).toBe(false)
  expect(nodeName.safeParse(name).success).toBe(false)
})

test.each(['北侧 入口阀', "O'Neil & Söhne; 3%", '😀', '__proto__'])('%j is a name', (name) => {
  expect(givenName.parse(name)).toBe(name)
})

test.each(['南组\n', ' 南组', '\t南组\r\n'])(
  'white space around a trimmed name is removed before it is checked: %j',
  (name) => {
    expect(trimmedName.parse(name)).toBe('南组')
  },
)

test.each(['南\n组', '\n', ''])('a trimmed name is one line: %j', (name) => {
  expect(trimmedName.safeParse(name).success).toBe(false)
})
