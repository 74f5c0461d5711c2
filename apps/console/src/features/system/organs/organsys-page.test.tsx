import {
  addOrgan,
  type Company,
  deleteOrgan,
  editOrgan,
  getCompanies,
  getOrgans,
  type Organisation,
} from '@isotherm/contract/endpoints/network/organisations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import OrgansysPage from './organsys-page.tsx'

const organ = (id: number, over: Partial<Organisation> = {}): Organisation => ({
  id,
  companyId: 1,
  parentId: null,
  name: `机构${id}`,
  description: '',
  accountCount: 0,
  version: 4,
  abilities: ['edit', 'delete'],
  ...over,
})
const company = (id: number): Company => ({
  id,
  tenant: `t${id}`,
  name: `公司${id}`,
  timeZone: 'Asia/Shanghai',
  version: 1,
  abilities: [],
})

const top = organ(1, { accountCount: 3, abilities: ['edit'] })
const part = organ(2, { parentId: 1, name: '运行班' })
const foreign = organ(9, { companyId: 2 })

interface PageOptions {
  readonly address?: string
  readonly companies?: readonly Company[]
  readonly permissions?: readonly string[]
}

async function openPage(organs: readonly Organisation[], options: PageOptions = {}) {
  const { address = '/sys/organsys', companies = [company(1)], permissions = ['ps-oraigionsys'] } = options
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getOrgans, { datalist: [...organs], total: organs.length })
  api.answer(getCompanies, { datalist: [...companies], total: companies.length })
  const view = await renderPart(<OrgansysPage />, { permissions, address })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

const names = () => screen.getAllByTestId(/^record-\d+$/).map(({ textContent }) => textContent)

test('an installation without a company shows a hint to add one first', async () => {
  await openPage([], { companies: [] })
  expect(await screen.findByText('还没有企业，请先在首页新增。')).toBeTruthy()
  expect(screen.queryByTestId('record-add')).toBeNull()
})

test('organisations are listed as trees, filtered by company', async () => {
  const { user } = await openPage([part, top, foreign], { companies: [company(1), company(2)] })
  await waitFor(() => expect(names()).toEqual(['机构1', '运行班', '机构9']))
  await user.type(screen.getByTestId('record-search'), '运行')
  await waitFor(() => expect(names()).toEqual(['运行班']))
})

test('the filter by company is in the address', async () => {
  await openPage([part, top, foreign], {
    companies: [company(1), company(2)],
    address: '/sys/organsys?company=2',
  })
  await waitFor(() => expect(names()).toEqual(['机构9']))
})

test('a new organisation belongs to the only company without a choice', async () => {
  const { api, user } = await openPage([])
  api.answer(addOrgan, organ(5))
  await user.click(await screen.findByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '客服部')
  expect(screen.queryByTestId('field-companyId')).toBeNull()
  // An organisation above is not required.
  expect(screen.queryByText('上级机构 *')).toBeNull()
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(addOrgan)).toEqual([{ companyId: 1, name: '客服部', parentId: null, description: '' }]),
  )
})

test('a new organisation needs a company if there are several and none is above it', async () => {
  const { api, user } = await openPage([top], { companies: [company(1), company(2)] })
  api.refuse(addOrgan, { code: 'company.not-found', text: '公司不存在' })
  await user.click(await screen.findByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '客服部')
  expect(screen.getByTestId('field-companyId')).toBeTruthy()
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('公司不存在')).toBeTruthy()
})

test('the drawer states what keeps an organisation from deletion, and saves a new name at its place', async () => {
  const { api, user } = await openPage([top, part], { address: '/sys/organsys?open=1' })
  expect(await screen.findByText(/有 3 个用户、1 个下级机构/)).toBeTruthy()
  api.answer(editOrgan, { ...top, name: '运行部' })
  const name = screen.getByTestId('field-name')
  await user.clear(name)
  await user.type(name, '运行部')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(editOrgan)).toEqual([
      { id: 1, version: 4, name: '运行部', parentId: null, description: '' },
    ]),
  )
})

test('organisations with users or parts are not deleted; a failure is named', async () => {
  const { api, user } = await openPage([top, part, foreign], { address: '/sys/organsys?pick=1,2,9' })
  api.decide(deleteOrgan, ({ id }) =>
    id === 2
      ? { data: { deleted: 1 } }
      : { refusal: { code: 'entity.in-use', text: '正在被使用，不能执行此操作：账号' } },
  )
  await user.click(await screen.findByTestId('bulk-delete'))
  expect(await screen.findByText(/删除 2 个机构/)).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  await screen.findByTestId('bulk-close')
  expect(api.calls(deleteOrgan).map(({ id }) => id)).toEqual([2, 9])
  expect(screen.getByText(/正在被使用/)).toBeTruthy()
})

test('a user without the permission can look, but not add', async () => {
  await openPage([organ(1, { abilities: [] })], { permissions: ['ps-rolesys'] })
  await waitFor(() => expect(names()).toEqual(['机构1']))
  expect(screen.queryByTestId('record-add')).toBeNull()
})
