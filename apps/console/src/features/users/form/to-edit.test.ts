import { expect, test } from 'vitest'
import { toEdit } from './to-edit.ts'

const initial = { name: '李工', tel: '', organisationId: undefined, secAccount: undefined, roleIds: [3] }

test('an edit contains only what was changed', () => {
  const entered = {
    id: 5,
    version: 2,
    name: '李工程师',
    tel: '',
    organisationId: null,
    secAccount: null,
    roleIds: [3],
  }
  expect(toEdit(entered, initial)).toEqual({ id: 5, version: 2, name: '李工程师' })
})

test('emptied values are changes', () => {
  const before = { ...initial, organisationId: 8, roleIds: [3] }
  const entered = { id: 5, version: 2, name: '李工', tel: '', organisationId: null, roleIds: [] }
  expect(toEdit(entered, before)).toEqual({ id: 5, version: 2, organisationId: null, roleIds: [] })
})
