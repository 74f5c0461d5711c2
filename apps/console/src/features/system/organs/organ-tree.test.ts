import type { Organisation } from '@isotherm/contract/endpoints/network/organisations'
import { expect, test } from 'vitest'
import { listPlaces, toOrganRows } from './organ-tree.ts'

const organ = (id: number, parentId: number | null, companyId = 1): Organisation => ({
  id,
  companyId,
  parentId,
  name: `机构${id}`,
  description: '',
  accountCount: 0,
  version: 1,
  abilities: ['edit'],
})

const organs = [organ(1, null), organ(5, null), organ(9, null, 2), organ(2, 1), organ(3, 2)]

test('organisations are listed as trees, with the names above them and the number of their parts', () => {
  expect(toOrganRows(organs).map(({ id, above, partCount }) => [id, above.join('/'), partCount])).toEqual([
    [1, '', 1],
    [2, '机构1', 1],
    [3, '机构1/机构2', 0],
    [5, '', 0],
    [9, '', 0],
  ])
})

test('a part of an organisation that is not visible is at the top', () => {
  expect(toOrganRows([organ(3, 2)]).map(({ id, above }) => [id, above])).toEqual([[3, []]])
})

test('an organisation can move into others of its company, but neither into itself nor into its parts', () => {
  const rows = toOrganRows(organs)
  expect(listPlaces(rows, organ(1, null)).map(({ id }) => id)).toEqual([5])
  expect(listPlaces(rows, organ(3, 2)).map(({ id }) => id)).toEqual([1, 2, 5])
})
